"""Search over the site's sections: what it finds, written as a script that the pages load.

`sections` reads the pages, ``engine.ts`` finds, with MiniSearch, and ``dialog.ts`` shows it. The
index is a script and not JSON, so that search works in a folder, too, where a page may not fetch
files.
"""
