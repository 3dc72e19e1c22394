#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every tag of an HTML page is closed in its order, each row of a table has as many cells as its head. usage: tags.py FILE..."""
import html.parser
import sys

VOID = {"meta", "html", "br"}


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.cells, self.width, self.tables = [], 0, 0, 0

    def handle_starttag(self, tag, attrs):
        if tag in VOID or tag == "!doctype":
            return
        self.open.append(tag)
        if tag == "table":
            self.width, self.tables = 0, self.tables + 1
        if tag == "tr":
            self.cells = 0
        if tag in ("td", "th"):
            self.cells += 1

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open and self.open[-1] == tag, "line %d: </%s> closes <%s>" % (self.getpos()[0], tag, self.open[-1:])
        self.open.pop()
        if tag == "tr" and self.cells > 1:
            assert self.width in (0, self.cells), "line %d: %d cells, %d before" % (self.getpos()[0], self.cells, self.width)
            self.width = self.cells


for path in sys.argv[1:]:
    reader = Reader()
    reader.feed(open(path).read())
    reader.close()
    assert not reader.open, reader.open
    assert reader.tables > 2
