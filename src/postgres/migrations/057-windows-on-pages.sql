-- Whether status pages show a window, and what they call it; '' is its name. Windows that are there go on as they were.
ALTER TABLE maintenance_windows
  ADD COLUMN shows_on_pages boolean NOT NULL DEFAULT true,
  ADD COLUMN public_name text NOT NULL DEFAULT '';
