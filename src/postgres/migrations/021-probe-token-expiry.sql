-- When a token of remote probes stops working; null for one that works until it is revoked.
ALTER TABLE probe_tokens ADD COLUMN expires_at timestamptz;
