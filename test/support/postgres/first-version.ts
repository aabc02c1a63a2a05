import { hashHeartbeatToken } from '../../../src/store/monitors/monitor-changes.ts'
import type { Vault } from '../../../src/store/sealing/vault.ts'

export const HEARTBEAT_TOKEN = 'c'.repeat(32)

/** The rows that the first version wrote: an account, a monitor that is down, and a job. */
export function writtenByFirst(vault: Vault): string {
  const sealed = (purpose: string, text: string) => `'${vault.seal(text, purpose, null)}'`
  const hash = hashHeartbeatToken(HEARTBEAT_TOKEN).toString('hex')
  return `
    INSERT INTO users (email, name) VALUES ('ann@example.com', 'Ann');
    INSERT INTO teams (name, plan, signing_secret)
      VALUES ('Acme', 'pro', ${sealed('teams.signing_secret', 'whsec_x')});
    INSERT INTO members VALUES (1, 1, 'owner');
    INSERT INTO contacts (team_id, name, type, config)
      VALUES (1, 'Ops', 'email', ${sealed('contacts.config', '{"email":"ops@example.com"}')});
    INSERT INTO monitors (team_id, name, type, url, is_active, check_interval_minutes, http_method,
        expected_status_codes, request_timeout_seconds, ssl_expiry_warning_days, slot, request_headers,
        heartbeat_token, heartbeat_token_hash)
      VALUES (1, 'Shop', 'http', 'https://example.com/', true, 1, 'GET', '{200}', 30, 14, 7,
              ${sealed('monitors.request_headers', '{"X-Key":"secret"}')}, NULL, NULL),
             (1, 'Nightly', 'heartbeat', NULL, true, 5, 'GET', '{200}', 30, 14, 8, NULL,
              ${sealed('monitors.heartbeat_token', HEARTBEAT_TOKEN)}, '\\x${hash}');
    INSERT INTO monitor_contacts VALUES (1, 1);
    INSERT INTO incidents (team_id, monitor_id, started_at, cause)
      VALUES (1, 1, '2026-09-01T10:01:00Z', 'HTTP 503 (expected 200)');
    INSERT INTO monitor_state (monitor_id, revision, status, last_checked_at, open_incident_id)
      VALUES (1, 1, 'down', '2026-09-01T10:01:00Z', 1), (2, 2, 'pending', NULL, NULL);
    CREATE TABLE checks_20260901 PARTITION OF checks
      FOR VALUES FROM ('2026-09-01T00:00:00Z') TO ('2026-09-02T00:00:00Z');
    INSERT INTO checks (checked_at, monitor_id, status, response_time_ms, http_status_code, first_byte_ms, error_message)
      VALUES ('2026-09-01T10:00:00Z', 1, 'up', 120, 200, 80, NULL),
             ('2026-09-01T10:01:00Z', 1, 'down', NULL, 503, NULL, 'HTTP 503 (expected 200)');
    INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, monitor_id, incident_id, event, alert,
        state, attempts, finished_at)
      VALUES (1, 1, 'Ops', 'email', 1, 1, 'monitor.down', '{}', 'sent', 1, '2026-09-01T10:01:01Z');
    INSERT INTO delivery_attempts VALUES (1, 1, '2026-09-01T10:01:01Z', 12, 'sent', NULL, '250 OK')`
}
