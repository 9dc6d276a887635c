"""The page of a report for instructors: one frame for all of them, in which whatever is put in is escaped."""

from __future__ import annotations

from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined

FOLDER = "reports"

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{{ title }}</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #22252b; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ddd; }
td.number { text-align: right; white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
mark { background: #ffe9a8; color: #22252b; }
img { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #e6e4df; }
  th, td { border-color: #444; }
  a { color: #8ab4f8; }
}
</style>
</head>
<body>
<h1>{{ title }}</h1>
{% block body %}{% endblock %}
</body>
</html>
"""


def render(template: str, **values: Any) -> str:
    """Fill a template that extends "page"; whatever is put in is escaped.

    Examples
    --------
    >>> template = "{% extends 'page' %}{% block body %}<p>{{ name }}</p>{% endblock %}"
    >>> "<p>&lt;script&gt;</p>" in render(template, title="A page", name="<script>")
    True
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, loader=DictLoader({"page": PAGE}))
    return environment.from_string(template).render(**values)
