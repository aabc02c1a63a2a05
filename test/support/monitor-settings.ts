import type { MonitorSettings } from '../../src/store/monitors/monitors.ts'

/** What a monitor is that somebody only gave a name. */
export const PLAIN_SETTINGS: Omit<MonitorSettings, 'name' | 'heartbeatToken'> = {
  type: 'http',
  url: null,
  isActive: true,
  checkIntervalMinutes: 1,
  checkIntervalSeconds: null,
  httpMethod: 'GET',
  expectedStatusCodes: [200],
  expectedKeyword: null,
  port: null,
  requestTimeoutSeconds: 30,
  requestHeaders: null,
  username: null,
  password: null,
  sslExpiryWarningDays: 14,
}
