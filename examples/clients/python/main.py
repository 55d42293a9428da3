"""Reads a timeline page by page, posts, meets an error by its code, and waits for a new tweet. Prints a line of JSON for each."""

import asyncio
import json
import os
import uuid
from contextlib import aclosing

from murmuration import Client, GraphQLClientGraphQLMultiError


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)


async def main() -> None:
    url = os.environ["API_URL"]
    headers = {"authorization": f"Bearer {os.environ['TOKEN']}"}
    async with Client(
        url=url,
        headers=headers,
        ws_url=url.replace("http", "ws", 1),
        ws_connection_init_payload=headers,
    ) as client:
        contents: list[str] = []
        newest: str | None = None
        after: str | None = None
        has_next = True
        while has_next:
            page = await client.timeline(first=2, after=after)
            timeline = page.viewer and page.viewer.timeline
            if timeline is None:
                raise RuntimeError("the token must be of a user")
            contents += [edge.node.content for edge in timeline.edges]
            # A page may be empty and yet have a next one.
            if newest is None and timeline.edges:
                newest = timeline.edges[0].cursor
            after, has_next = timeline.page_info.end_cursor, timeline.page_info.has_next_page
        tell(timeline=contents)

        posted = await client.post("Hello from Python", str(uuid.uuid4()))
        tell(posted=posted.create_tweet and posted.create_tweet.tweet.content)

        try:
            await client.like("nothing")
        except GraphQLClientGraphQLMultiError as error:
            tell(code=(error.errors[0].extensions or {}).get("code"))

        tell(listening=True)
        async with aclosing(client.new_tweet(after=newest)) as events:
            event = await anext(events)
            tell(event=event.timeline_tweet.node.content)


asyncio.run(main())
