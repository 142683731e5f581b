"""MiniStack, except where it differs from AWS in what the tests and the demo ask for."""

import threading

# AWS deletes expired items within a few days, MiniStack within a minute. What an ended lock leaves in the table, and that
# a takeover counts as the next attempt, would be there in one run of a test and gone in the next.
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
start = threading.Thread.start


def start_unless_reaper(thread):
    if thread.name != "dynamodb-ttl-reaper":
        start(thread)


threading.Thread.start = start_unless_reaper

from ministack.app import main  # noqa: E402  (the reaper may start as it is imported)

from hypercorn.config import Config  # noqa: E402

import account_hosts  # noqa: E402
import event_retries  # noqa: E402
import partial_stream_batches  # noqa: E402
import repeated_requests  # noqa: E402
import whole_alarms  # noqa: E402

# It ends connections that were idle for 75 seconds, also when a request has just come by one and is carried out all the
# same. The client sends it again, and what it creates then exists already. No client is idle for as long as this.
Config.keep_alive_timeout = property(lambda _: 10 * 60, lambda _, value: None)

repeated_requests.install()
account_hosts.install()
event_retries.install()
partial_stream_batches.install()
whole_alarms.install()
main()
