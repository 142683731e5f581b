"""S3 Control is asked at a host that begins with the account, which no resolver knows for a loopback address. So that clients
get there, the emulator is the proxy of such requests, too, whose targets are whole addresses:
https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2"""

from urllib.parse import urlsplit

import ministack.app


def install():
    answer = ministack.app.app

    async def answer_as_proxy(scope, receive, send):
        if scope.get("path", "").startswith("http://"):
            scope = {**scope, **{name: urlsplit(scope[name]).path for name in ("path", "raw_path")}}
        await answer(scope, receive, send)

    ministack.app.app = answer_as_proxy
