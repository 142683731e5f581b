"""MiniStack keeps all of an alarm and tells all of it in JSON, but in XML only a part: a second plan would show changes."""

import json
from xml.sax.saxutils import escape

from ministack.services import cloudwatch

describe_alarms = cloudwatch._describe_alarms


def install():
    cloudwatch._describe_alarms = describe_whole_alarms


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
    # Without dates, which are numbers in JSON, and without the defaults that an alarm on an expression does not have.
    left_out = {name for name, value in alarm.items() if name.endswith("Timestamp") or value is None}
    if not alarm.get("MetricName"):
        left_out |= {"Period", "Statistic"}
    return {name: value for name, value in alarm.items() if name not in left_out}


def xml(value):
    if isinstance(value, dict):
        return "".join(f"<{name}>{xml(member)}</{name}>" for name, member in value.items())
    if isinstance(value, list):
        return "".join(f"<member>{xml(member)}</member>" for member in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(str(value))
