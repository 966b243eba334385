"""The table on the web: who comes in, what each phone shows, what it may say."""
