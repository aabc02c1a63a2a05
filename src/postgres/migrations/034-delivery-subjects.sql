-- The log of a server and of a site, and the rows that one which goes must find. Most deliveries are of monitors, so these
-- indexes are small, and built by one pass over the table: deliveries wait for that. Where the table is very large, they can
-- be built beforehand by the same words with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS deliveries_of_server ON deliveries (server_id, id DESC) WHERE server_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_of_site ON deliveries (site_id, id DESC) WHERE site_id IS NOT NULL;
