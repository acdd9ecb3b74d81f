"""Plays a table of the site by its HTTP API for any object with `step(view)`; needs Python alone.

`view` is the JSON of a view (docs/api.md), `step` returns the text of a move: the "move" of one of view["moves"]. So an
agent of OpenSpiel, RLCard or your own plays by a few lines that choose among these.
"""

import json
import time
import urllib.error
import urllib.request
import uuid

TABLE_CHANGED, TOO_MANY = 409, 429


class Site:
    """url: such as "https://cards.example". token: of a bot."""

    def __init__(self, url, token):
        self.url, self.token = f"{url}/api/v1", token

    def open(self, path, data=None, **headers):
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if data is not None:  # the same key again would get the same answer, so nothing is done twice
            headers["Idempotency-Key"] = str(uuid.uuid4())
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.url + path, body, headers)
        while True:
            try:
                return urllib.request.urlopen(request, timeout=60)
            except urllib.error.HTTPError as problem:
                if problem.code != TOO_MANY:
                    raise
                time.sleep(int(problem.headers["Retry-After"]))

    def get(self, path):
        return json.load(self.open(path))

    def post(self, path, **data):
        return json.load(self.open(path, data))

    def follow(self, code):
        """The table after every change, until the game is over."""
        while True:
            with self.open(f"/tables/{code}/stream", Accept="application/x-ndjson") as stream:
                for line in stream:
                    event = json.loads(line)
                    if event["event"] == "table":
                        yield event["data"]
                        if event["data"]["finished_at"]:
                            return
            time.sleep(1)  # the stream has ended, as when the server restarts


def play(site, code, agent):
    """Plays this table to its end, and returns its last state."""
    table = None
    for table in site.follow(code):
        view = table["view"]
        if view and view["moves"] and not table["frozen"]:
            try:
                site.post(f"/tables/{code}/moves", move=agent.step(view), version=table["version"])
            except urllib.error.HTTPError as problem:
                if problem.code != TABLE_CHANGED:  # the stream shows the change, and the agent moves again
                    raise
        elif table["hand_end"]:  # with the token of a person: the others wait until they have seen the count
            site.post(f"/tables/{code}/seen", hand=table["hand_end"])
    return table
