// What it costs to load nothing.
