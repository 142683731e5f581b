"""MiniStack invokes the functions of a rule once, whatever comes of it. EventBridge invokes them asynchronously, so Lambda
tries again and keeps what it gives up: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async.html"""

import json

from ministack.services import eventbridge, lambda_svc


def install():
    eventbridge._dispatch_to_lambda = invoke


def invoke(arn, payload):
    function, config, _ = lambda_svc._get_func_record_for_ref(arn)
    if function and config:
        lambda_svc.invoke_async_with_retry(lambda_svc._execution_record_for_config(function, config), json.loads(payload))
