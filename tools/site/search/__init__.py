"""Search: `sections` reads the pages, ``engine.ts`` finds in them, ``dialog.ts`` shows it."""
