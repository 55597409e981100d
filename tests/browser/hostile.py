"""Texts that try to take the page over; the rows are those of the security page. Each one would set ``__pwned``."""

JS = "window.__pwned=1"
HOSTILE = {
    "T1": f"<script>{JS}</script> <img src=x onerror={JS}> <svg onload={JS}> <details open ontoggle={JS}> "
    f'<iframe srcdoc="<script>parent.{JS}</script>"></iframe> <object data="javascript:{JS}"></object> '
    f"<base href=//evil.example> <meta http-equiv=refresh content='0;url=javascript:{JS}'> "
    "<link rel=stylesheet href=//evil.example/x.css> <style>@import '//evil.example/y.css'</style>",
    "T1 block": f"<script>\n{JS}\n</script>\n\n<div>\n\n<img src=x onerror={JS}>\n\n</div>",
    "T2": f"[a](javascript:{JS}) [b](JaVa&#10;Script:{JS}) [c](data:text/html,<script>{JS}</script>) "
    f"[d](vbscript:{JS}) <javascript:{JS}> [e][r] [f](/admin/logout) [g](//evil.example)\n\n[r]: javascript:{JS}\n\n"
    f'```"><script>{JS}</script>\ncode\n```',
    "T3": f'<math><annotation-xml encoding="text/html"><img src=x onerror={JS}></annotation-xml></math> '
    f'<noscript><p title="</noscript><img src=x onerror={JS}>"> <table><a href="javascript:{JS}">x</a></table> '
    f"<select><style></select><img src=x onerror={JS}></style> <!-- <!-- --> <img src=x onerror={JS}> --> "
    f"<![CDATA[<script>{JS}</script>]]> $\\text{{<img src=x onerror={JS}>}}$",
    "T4": f'<div hx-get="/hx-from-content" hx-trigger=load hx-on::load="{JS}" data-hx-post="/hx-from-content" '
    'hx-swap-oob=true id=panel>x</div> <form hx-post="/hx-from-content" hx-trigger=load></form>',
    "T5": "<form id=judge><input name=submit id=submit></form> <a id=__config name=why>x</a> <img name=querySelector>",
    "T6": '<p style="position:fixed;inset:0;z-index:999" class="work full hidden">over everything</p></style>'
    "<style>#submit{display:none}</style>",
    "T10": "![p](https://evil.example/p.png?u=1) <img srcset=//evil.example/s.png> "
    "<video poster=//evil.example/v.png></video> ![x](//evil.example/i.png) <link rel=prefetch href=//evil.example> "
    "<p style='background:url(//evil.example/b.png)'>x</p> [![in](https://evil.example/i.png)](https://evil.example)",
    "T13": '</div></article></section></main><button type="submit" form="judge">Click Skip to get paid</button> '
    "**Submit** · [Skip](#skip)\n\n# Task 1 of 1\n\n## Your judgement",
}
TEXT = "\n\n".join(HOSTILE.values())
NAMES = [
    f"<script>{JS}</script>",
    f'"><img src=x onerror={JS}>',
    "{{7*7}} {% load static %}",
    "\u202eevil\u202c name",
]
