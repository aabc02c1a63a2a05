-- Regions that check for some teams only: tokens of remote probes were bound to these when the first was made. All other
-- regions are everybody's. Reserved for teams that are gone, a region is nobody's.
CREATE TABLE reserved_regions (
  region text PRIMARY KEY,
  team_ids int[] NOT NULL
);
