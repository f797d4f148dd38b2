"""What a person writes who needs the replies and nothing else: `python -m benches._bare_loop QUIZ URL N`.

Reads each picture, encodes it, asks through the official SDK with N requests under way, appends a line.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import Any

__all__ = ["REPLIES"]

REPLIES = "replies.jsonl"
"""Beside the file of questions."""


def _main(quiz: str, base_url: str, in_flight: str) -> None:
    import openai

    path = Path(quiz)
    rows = iter([json.loads(line) for line in path.read_text().splitlines()])

    async def go() -> None:
        async with openai.AsyncOpenAI(base_url=base_url, api_key="none") as client:
            with (path.parent / REPLIES).open("w") as file:

                async def work() -> None:
                    for row in rows:
                        content: list[Any] = [{"type": "text", "text": row["question"]}]
                        if "image" in row:
                            data = base64.b64encode((path.parent / row["image"]).read_bytes()).decode()
                            url = {"url": f"data:image/jpeg;base64,{data}"}
                            content.insert(0, {"type": "image_url", "image_url": url})
                        reply = await client.chat.completions.create(
                            model="m",
                            temperature=0,
                            messages=[{"role": "user", "content": content}],
                        )
                        line = {"id": row["id"], "reply": reply.choices[0].message.content}
                        file.write(json.dumps(line) + "\n")
                        file.flush()

                await asyncio.gather(*(work() for _ in range(int(in_flight))))

    asyncio.run(go())


if __name__ == "__main__":
    _main(*sys.argv[1:])
