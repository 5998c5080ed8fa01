"""A small memory server for tests, over MCP: ``python mcp_memory.py [plain|odd|dies]``."""

import os
import sys


def nearest(told, question):
    words = set(question.lower().split())
    return sorted(told.values(), key=lambda text: -len(words & set(text.lower().split())))


def last_words(text):
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
    os._exit(3)


def plain(server):
    """Offer all tools, under the names that are looked for first."""
    told = {}

    @server.tool()
    def ingest(content: str, id: str = "", timestamp: str = "") -> str:  # noqa: A002 - as servers name it
        if content == "boom":
            raise ValueError("the disk is full")
        told[id or content] = f"{content} ({timestamp})" if timestamp else content
        return "stored"

    @server.tool()
    def query(query: str, k: int = 5) -> list[str]:
        return nearest(told, query)[:k]

    @server.tool()
    def reset() -> str:
        told.clear()
        return "empty"

    @server.tool()
    def list_memories() -> dict[str, list[dict[str, str]]]:
        return {
            "memories": [{"id": f"m-{name}", "memory": text, "claim_id": name} for name, text in told.items()]
        }


def odd(server):
    """Offer what is needed and no more, under other names."""
    told = {}

    @server.tool()
    def search_memory(q: str) -> str:
        return "\n".join(nearest(told, q))

    @server.tool()
    def add_memory(text: str) -> str:
        if text == "die":
            last_words("out of memory")
        told[text] = text
        return "stored"

    @server.tool()
    def delete_memory(memory_id: str) -> str:
        return told.pop(memory_id, "")


if __name__ == "__main__":
    if sys.argv[1] == "dies":
        last_words("no licence")

    from mcp.server import MCPServer

    made = MCPServer("small")
    {"plain": plain, "odd": odd}[sys.argv[1]](made)
    made.run(*sys.argv[2:3])
