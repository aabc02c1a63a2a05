-- Containers and units of systemd of servers, as the agent tells of them where it was asked to.
ALTER TABLE server_state
  ADD COLUMN hosted jsonb, -- core/servers/hosted.ts
  -- As `conditions`, those of containers and units: apart, because the release before knows no conditions of these kinds and
  -- stumbles over one.
  ADD COLUMN hosted_conditions jsonb NOT NULL DEFAULT '[]';
