"""Now and then a connection ends after the provider's request has been carried out and before it has its answer. The SDK sends
the request again, and what it creates then exists already, which ends an apply. Here the lost answer is given again: each call
has an identifier of its own, which its repetitions share. Only for the provider: what our own code sends again shall meet
what it met before, as on AWS."""

import asyncio
import logging

import ministack.app


def install():
    answer = ministack.app.app
    answers = {}

    async def answer_once(scope, receive, send):
        headers = dict(scope.get("headers", []))
        call = headers.get(b"amz-sdk-invocation-id")
        if call is None or b"terraform-provider-aws" not in headers.get(b"user-agent", b""):
            return await answer(scope, receive, send)
        if call in answers:
            logging.getLogger("emulator").warning("answered again: %s %s", scope["method"], scope["path"])
        else:
            # A task of its own, since one that belongs to the connection ends with it.
            answers[call] = asyncio.ensure_future(messages_of(answer, scope, receive))
        messages = await asyncio.shield(answers[call])
        if not messages or messages[0]["status"] >= 400:
            # What was refused may be tried again.
            answers.pop(call, None)
        for message in messages:
            await send(message)

    ministack.app.app = answer_once


async def messages_of(answer, scope, receive):
    messages = []

    async def collect(message):
        messages.append(message)

    await answer(scope, receive, collect)
    return messages
