"""MiniStack keeps all of an alarm and tells all of it in JSON and CBOR, but in XML only a part, and tells of an alarm on an
expression what it does not have: a second plan would show changes."""

import json
from xml.sax.saxutils import escape

from ministack.services import cloudwatch

describe_alarms = cloudwatch._describe_alarms
cbor_alarm = cloudwatch._cbor_alarm


def install():
    cloudwatch._describe_alarms = describe_whole_alarms
    cloudwatch._cbor_alarm = lambda alarm: without_defaults(cbor_alarm(alarm))


def describe_whole_alarms(params, data, is_cbor, is_json=False):
    if is_cbor or is_json:
        return describe_alarms(params, data, is_cbor, is_json)
    asked = {"AlarmNames": [value[0] for name, value in params.items() if name.startswith("AlarmNames.member.")]}
    status, headers, body = describe_alarms({}, asked, False, True)
    if status != 200:
        return status, headers, body
    alarms = json.loads(body)["MetricAlarms"]
    members = "".join(f"<member>{xml(as_put(alarm))}</member>" for alarm in alarms)
    result = f"<DescribeAlarmsResult><MetricAlarms>{members}</MetricAlarms></DescribeAlarmsResult>"
    return cloudwatch._xml(200, "DescribeAlarmsResponse", result)


def as_put(alarm):
    # Dates are numbers in JSON, which they may not be in XML.
    return {
        name: value
        for name, value in without_defaults(alarm).items()
        if value is not None and not name.endswith("Timestamp")
    }


def without_defaults(alarm):
    if alarm.get("MetricName"):
        return alarm
    return {name: value for name, value in alarm.items() if name not in ("Period", "Statistic")}


def xml(value):
    if isinstance(value, dict):
        return "".join(f"<{name}>{xml(member)}</{name}>" for name, member in value.items())
    if isinstance(value, list):
        return "".join(f"<member>{xml(member)}</member>" for member in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(str(value))
