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

import whole_alarms  # noqa: E402

whole_alarms.install()
main()
