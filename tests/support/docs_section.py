# SPDX-License-Identifier: Apache-2.0
"""Sections of docs/accuracy.md that scripts write: the text between "<!-- NAME: SCRIPT -->" and "<!-- end of NAME -->"."""
import os
import re
import textwrap

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/accuracy.md")
WIDTH = 100


def wrap(text):
    """The text of a paragraph as lines of the page."""
    return textwrap.wrap(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def replace(name, lines, page=PAGE):
    """Write lines into the section of this name; the page must have it."""
    with open(page, encoding="utf-8") as f:
        old = f.read()
    pattern = r"(<!-- %s: [^\n]* -->\n).*?(\n<!-- end of %s -->)" % (name, name)
    new, count = re.subn(pattern, lambda m: m.group(1) + "\n" + "\n".join(lines).strip("\n") + "\n" + m.group(2), old, flags=re.S)
    if count != 1:
        raise SystemExit("%s: %d sections called %s" % (page, count, name))
    with open(page, "w", encoding="utf-8") as f:
        f.write(new)
