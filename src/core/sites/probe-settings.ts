import type { ProbeSettings } from '../monitors/probe-settings.ts'

const TIMEOUT_SECONDS = 10
const ALL_2XX = Array.from({ length: 100 }, (_, index) => 200 + index)

/** A look at the home page or the certificate of a site, as the probes of monitors take it. */
export function siteProbeSettings(type: 'http' | 'ssl', url: string, intervalSeconds: number): ProbeSettings {
  return {
    type,
    url,
    interval_seconds: intervalSeconds,
    http_method: 'GET',
    expected_status_codes: ALL_2XX,
    expected_keyword: null,
    port: null,
    request_timeout_seconds: TIMEOUT_SECONDS,
    request_headers: {},
    username: null,
    password: null,
    // Certificates have an area of their own, which warns.
    ssl_expiry_warning_days: 0,
  }
}
