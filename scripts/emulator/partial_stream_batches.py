"""MiniStack takes a batch of Kinesis for done whatever is answered. With partial batch responses, Lambda goes on at the first
record that is reported: https://docs.aws.amazon.com/lambda/latest/dg/kinesis-batchfailurereporting.html"""

from ministack.services import kinesis, lambda_svc

execute = lambda_svc._execute_function


def install():
    lambda_svc._execute_function = execute_partially


def execute_partially(function, event):
    result = execute(function, event)
    record = None if result.get("error") else first_failure(event, result.get("body"))
    mapping = record and mapping_of(function, record["eventSourceARN"])
    if not mapping:
        return result
    go_on_at(record, lambda_svc._kinesis_positions[mapping["UUID"]])
    # Where a batch has failed, MiniStack leaves its position as it is.
    return {**result, "error": True}


def first_failure(event, answer):
    failures = answer.get("batchItemFailures") if isinstance(answer, dict) else None
    if not failures:
        return None
    failed = {failure["itemIdentifier"] for failure in failures}
    reported = (record for record in event["Records"] if record.get("kinesis", {}).get("sequenceNumber") in failed)
    return next(reported, None)


def mapping_of(function, stream_arn):
    name = function["config"]["FunctionName"]
    mappings = (mapping for _, _, mapping in lambda_svc._iter_all_esms())
    partial = (mapping for mapping in mappings if "ReportBatchItemFailures" in mapping.get("FunctionResponseTypes", []))
    return next((each for each in partial if (each["FunctionName"], each["EventSourceArn"]) == (name, stream_arn)), None)


def go_on_at(record, positions):
    shard_id, number = record["eventID"].split(":")
    stream = kinesis._streams[record["eventSourceARN"].split("/")[-1]]
    numbers = [each["SequenceNumber"] for each in stream["shards"][shard_id]["records"]]
    positions[shard_id] = numbers.index(number)
