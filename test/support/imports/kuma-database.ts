import { DatabaseSync } from 'node:sqlite'
import type { KumaExport } from '../../../src/imports/uptime-kuma/uptime-kuma.ts'

/** Columns of Uptime Kuma 2.x whose values an import reads; its own tables have more, and all of these. */
const SCHEMA = `
CREATE TABLE monitor (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(150), active BOOLEAN NOT NULL DEFAULT 1, user_id INTEGER,
  interval INTEGER NOT NULL DEFAULT 20, url TEXT, type VARCHAR(20), weight INTEGER DEFAULT 2000,
  hostname VARCHAR(255), port INTEGER, created_date DATETIME, keyword VARCHAR(255),
  maxretries INTEGER NOT NULL DEFAULT 0, ignore_tls BOOLEAN NOT NULL DEFAULT 0,
  upside_down BOOLEAN NOT NULL DEFAULT 0, maxredirects INTEGER NOT NULL DEFAULT 10,
  accepted_statuscodes_json TEXT NOT NULL DEFAULT '["200-299"]', retry_interval INTEGER NOT NULL DEFAULT 0,
  push_token VARCHAR(32), method TEXT NOT NULL DEFAULT 'GET', body TEXT, headers TEXT, basic_auth_user TEXT,
  basic_auth_pass TEXT, docker_host INTEGER, docker_container VARCHAR(255), proxy_id INTEGER,
  expiry_notification BOOLEAN DEFAULT 1, auth_method VARCHAR(250), resend_interval INTEGER NOT NULL DEFAULT 0,
  description TEXT, parent INTEGER, invert_keyword BOOLEAN NOT NULL DEFAULT 0, timeout DOUBLE NOT NULL DEFAULT 0,
  conditions TEXT NOT NULL DEFAULT '[]', dns_resolve_type VARCHAR(5), dns_resolve_server VARCHAR(255), bearer_token TEXT, packet_size INTEGER NOT NULL DEFAULT 56,
  cache_bust BOOLEAN NOT NULL DEFAULT 0, smtp_security VARCHAR(255), ping_count INTEGER NOT NULL DEFAULT 1,
  ping_numeric BOOLEAN NOT NULL DEFAULT 1, ping_per_request_timeout INTEGER NOT NULL DEFAULT 2, ip_family VARCHAR(4),
  domain_expiry_notification BOOLEAN DEFAULT 0, save_response BOOLEAN NOT NULL DEFAULT 0,
  save_error_response BOOLEAN NOT NULL DEFAULT 1, response_max_length INTEGER NOT NULL DEFAULT 1024,
  expected_tls_alert VARCHAR(50), json_path TEXT, json_path_operator VARCHAR(255), expected_value VARCHAR(255),
  retry_only_on_status_code_failure BOOLEAN NOT NULL DEFAULT 0, ws_subprotocol VARCHAR(255),
  database_connection_string TEXT, database_query TEXT, radius_password VARCHAR(255),
  mqtt_topic TEXT, mqtt_success_message VARCHAR(255), mqtt_username VARCHAR(255), mqtt_password VARCHAR(255),
  mqtt_check_type VARCHAR(255) NOT NULL DEFAULT 'keyword', kafka_producer_topic VARCHAR(255), kafka_producer_brokers TEXT,
  kafka_producer_ssl BOOLEAN NOT NULL DEFAULT 0, kafka_producer_allow_auto_topic_creation BOOLEAN NOT NULL DEFAULT 0,
  kafka_producer_sasl_options TEXT, kafka_producer_message TEXT,
  mqtt_websocket_path VARCHAR(255), rabbitmq_nodes TEXT, rabbitmq_username VARCHAR(255), rabbitmq_password VARCHAR(255),
  subtype VARCHAR(10), location VARCHAR(255), protocol VARCHAR(20),
  ws_ignore_sec_websocket_accept_header BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE heartbeat (
  id INTEGER PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER NOT NULL, status SMALLINT NOT NULL, time DATETIME NOT NULL);
CREATE TABLE notification (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name VARCHAR(255), active BOOLEAN NOT NULL DEFAULT 1,
  user_id INTEGER NOT NULL, is_default BOOLEAN NOT NULL DEFAULT 0, config TEXT);
CREATE TABLE monitor_notification (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, monitor_id INTEGER NOT NULL, notification_id INTEGER NOT NULL);
CREATE TABLE setting (id INTEGER PRIMARY KEY AUTOINCREMENT, key VARCHAR(200) NOT NULL UNIQUE, value TEXT, type VARCHAR(20));
CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name VARCHAR(255) NOT NULL, color VARCHAR(255) NOT NULL);
CREATE TABLE monitor_tag (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, monitor_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, value TEXT
);
CREATE TABLE status_page (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, slug VARCHAR(255) NOT NULL UNIQUE, title VARCHAR(255) NOT NULL,
  description TEXT, icon VARCHAR(255) NOT NULL DEFAULT '/icon.svg', theme VARCHAR(30) NOT NULL DEFAULT 'auto',
  published BOOLEAN NOT NULL DEFAULT 1, footer_text TEXT, custom_css TEXT);
CREATE TABLE status_page_cname (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, status_page_id INTEGER, domain VARCHAR NOT NULL UNIQUE);
CREATE TABLE "group" (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name VARCHAR(255) NOT NULL, public BOOLEAN NOT NULL DEFAULT 0,
  active BOOLEAN NOT NULL DEFAULT 1, weight INTEGER NOT NULL DEFAULT 1000, status_page_id INTEGER);
CREATE TABLE monitor_group (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, monitor_id INTEGER NOT NULL, group_id INTEGER NOT NULL,
  weight INTEGER NOT NULL DEFAULT 1000, send_url BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE incident (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, title VARCHAR(255) NOT NULL, content TEXT NOT NULL,
  pin BOOLEAN NOT NULL DEFAULT 1, active BOOLEAN NOT NULL DEFAULT 1, status_page_id INTEGER);
CREATE TABLE maintenance (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, title VARCHAR(150) NOT NULL, description TEXT NOT NULL DEFAULT '',
  user_id INTEGER, active BOOLEAN NOT NULL DEFAULT 1, strategy VARCHAR(50) NOT NULL DEFAULT 'single',
  start_date DATETIME, end_date DATETIME, start_time TIME, end_time TIME, weekdays VARCHAR(250) DEFAULT '[]',
  days_of_month TEXT DEFAULT '[]', interval_day INTEGER, cron TEXT, timezone VARCHAR(255), duration INTEGER,
  last_start_date DATETIME);
CREATE TABLE monitor_maintenance (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER NOT NULL, maintenance_id INTEGER NOT NULL);
CREATE TABLE maintenance_status_page (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, status_page_id INTEGER NOT NULL, maintenance_id INTEGER NOT NULL);
CREATE TABLE docker_host (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, user_id INTEGER NOT NULL, docker_daemon VARCHAR(255), docker_type VARCHAR(255), name VARCHAR(255));
CREATE TABLE proxy (
  id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL DEFAULT 1, protocol VARCHAR(10) NOT NULL,
  host VARCHAR(255) NOT NULL, port INTEGER NOT NULL, auth BOOLEAN NOT NULL DEFAULT 0, username VARCHAR(255),
  password VARCHAR(255), active BOOLEAN NOT NULL DEFAULT 1);
`

type Row = Record<string, string | number | bigint | null>

export type KumaContent = {
  monitors: Row[]
  notifications?: { id: number; name: string; config: Record<string, unknown>; active?: number }[]
  attached?: [monitorId: number, notificationId: number][]
  settings?: Record<string, unknown>
  tables?: Record<string, Row[]>
}

/** Writes a `kuma.db` as Uptime Kuma keeps it. */
export function writeKumaDatabase(file: string, content: KumaContent): void {
  const database = new DatabaseSync(file)
  const insert = (table: string, row: Row) => {
    const names = Object.keys(row)
    const places = names.map(() => '?').join(', ')
    database
      .prepare(`INSERT INTO "${table}" (${names.join(', ')}) VALUES (${places})`)
      .run(...Object.values(row))
  }
  try {
    database.exec(`BEGIN;${SCHEMA}`)
    for (const monitor of content.monitors) insert('monitor', monitor)
    for (const { config, ...row } of content.notifications ?? []) {
      insert('notification', { ...row, user_id: 1, config: JSON.stringify({ ...config, name: row.name }) })
    }
    for (const [monitor_id, notification_id] of content.attached ?? []) {
      insert('monitor_notification', { monitor_id, notification_id })
    }
    for (const [key, value] of Object.entries(content.settings ?? {})) {
      insert('setting', { key, value: JSON.stringify(value), type: 'general' })
    }
    for (const [table, rows] of Object.entries(content.tables ?? {}))
      for (const row of rows) insert(table, row)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** A small household of everything: what comes over, what comes over changed, what does not. */
export const KUMA_CONTENT: KumaContent = {
  monitors: [
    {
      id: 1,
      name: 'Shop',
      type: 'http',
      url: 'https://shop.example/',
      interval: 60,
      timeout: 48,
      maxretries: 2,
    },
    {
      id: 2,
      name: 'Shop says welcome',
      type: 'keyword',
      url: 'https://ann:s3cret-in-url@shop.example/home',
      keyword: 'Welcome',
      interval: 20,
      timeout: 16,
      headers: '{"Accept-Language": "de", "Host": "shop.example"}',
      accepted_statuscodes_json: '["200", "301-303"]',
    },
    { id: 3, name: 'Mail server', type: 'port', hostname: 'mail.example', port: 25, interval: 300 },
    { id: 4, name: 'Router', type: 'ping', hostname: '2001:db8::1', interval: 900, active: 0 },
    {
      id: 5,
      name: 'Nightly backup',
      type: 'push',
      interval: 86_400,
      maxretries: 1,
      retry_interval: 3_600,
      push_token: 'kumaPushToken0123456789abcdefghi',
    },
    { id: 6, name: 'Names', type: 'tailscale-ping', hostname: 'example.com', interval: 60 },
    { id: 7, name: 'Database', type: 'oracledb', interval: 60 },
    { id: 8, name: 'Cupboard', type: 'group', interval: 60, active: 0 },
    { id: 9, name: 'In the cupboard', type: 'http', url: 'http://nas.example/', interval: 3_600, parent: 8 },
    {
      id: 10,
      name: 'No error page',
      type: 'keyword',
      url: 'https://shop.example/',
      keyword: 'Oops',
      invert_keyword: 1,
      interval: 60,
      timeout: 48,
    },
    {
      id: 11,
      name: 'Must be closed',
      type: 'http',
      url: 'https://closed.example/',
      interval: 60,
      timeout: 48,
      upside_down: 1,
    },
    {
      id: 12,
      name: 'Shop',
      type: 'http',
      url: 'https://shop.example/api',
      interval: 60,
      auth_method: 'basic',
      basic_auth_user: 'probe',
      basic_auth_pass: 's3cret-password',
      expiry_notification: 0,
    },
    {
      id: 13,
      name: 'Orders',
      type: 'http',
      url: 'https://shop.example/orders',
      interval: 60,
      timeout: 48,
      method: 'POST',
      body: '{"a": 1}',
    },
    {
      id: 14,
      name: 'Through',
      type: 'http',
      url: 'https://inner.example/',
      interval: 60,
      timeout: 48,
      proxy_id: 1,
    },
  ],
  notifications: [
    {
      id: 1,
      name: 'Team mail',
      config: { type: 'smtp', smtpHost: 'mail.example', smtpTo: 'Ops <ops@shop.example>, ann@shop.example' },
    },
    {
      id: 2,
      name: 'Chat',
      config: { type: 'slack', slackwebhookURL: 'https://hooks.slack.example/services/T0/B0/s3cret-slack' },
    },
    {
      id: 3,
      name: 'Phone',
      config: {
        type: 'telegram',
        telegramBotToken: '123456789:AAs3cret-telegram',
        telegramChatID: '-1001234',
      },
    },
    { id: 4, name: 'Pager', config: { type: 'Opsgenie', opsgenieApiKey: 's3cret-pager' } },
    {
      id: 5,
      name: 'Hook',
      config: { type: 'webhook', webhookURL: 'https://hook.example/s3cret-hook', webhookContentType: 'json' },
    },
    { id: 6, name: 'Broken', config: { type: 'discord', discordWebhookUrl: 's3cret-not-a-url' } },
  ],
  attached: [
    [1, 1],
    [1, 2],
    [2, 2],
    [3, 3],
    [3, 4],
    [5, 5],
    [12, 4],
  ],
  settings: {
    primaryBaseURL: 'https://kuma.example',
    tlsExpiryNotifyDays: [7, 21],
    serverTimezone: 'Europe/Berlin',
  },
  tables: {
    heartbeat: [{ monitor_id: 1, status: 1, time: '2026-11-21 09:30:00.000' }],
    tag: [
      { id: 1, name: 'Env', color: '#2563eb' },
      { id: 2, name: 'Customer (no. 7)', color: '#dc2626' },
    ],
    monitor_tag: [
      { monitor_id: 1, tag_id: 1, value: 'Prod, north' },
      { monitor_id: 1, tag_id: 2, value: '' },
    ],
    status_page: [
      {
        id: 1,
        slug: 'shop',
        title: 'Our shop',
        description: 'How *it* is.',
        theme: 'dark',
        icon: '/upload/logo1.png',
      },
      { id: 2, slug: 'in-house', title: 'Our shop', published: 0, custom_css: 'body { color: red }' },
    ],
    status_page_cname: [{ status_page_id: 1, domain: 'status.shop.example' }],
    group: [
      { id: 1, name: 'Later', weight: 2, status_page_id: 1 },
      { id: 2, name: 'First', weight: 1, status_page_id: 1 },
      { id: 3, name: 'Empty', weight: 3, status_page_id: 1 },
      { id: 4, name: 'All', weight: 1, status_page_id: 2 },
    ],
    monitor_group: [
      { monitor_id: 3, group_id: 2, weight: 2 },
      { monitor_id: 1, group_id: 2, weight: 1 },
      { monitor_id: 5, group_id: 1, weight: 1 },
      { monitor_id: 6, group_id: 1, weight: 2 },
      { monitor_id: 7, group_id: 3, weight: 1 },
      { monitor_id: 12, group_id: 4, weight: 1 },
    ],
    incident: [{ title: 'Late', content: 'Mail is late.', status_page_id: 1 }],
    proxy: [
      {
        id: 1,
        protocol: 'http',
        host: 'proxy.example',
        port: 3_128,
        auth: 1,
        username: 'u@x',
        password: 's3cret-proxy',
      },
    ],
    maintenance: [
      {
        id: 1,
        title: 'Reboots',
        description: 'Mail may be **late**.',
        strategy: 'recurring-weekday',
        start_time: '23:30',
        end_time: '00:30',
        weekdays: '[1,4]',
        cron: '30 23 * * 1,4',
        duration: 3_600,
        timezone: 'Europe/Berlin',
      },
      { id: 2, title: 'Deploys', strategy: 'manual', cron: '', timezone: 'SAME_AS_SERVER' },
      {
        id: 3,
        title: 'Cupboard',
        strategy: 'recurring-day-of-month',
        start_time: '04:00',
        end_time: '05:00',
        days_of_month: '[1,"lastDay1"]',
        cron: '0 4 1,L * *',
        duration: 3_600,
        timezone: 'SAME_AS_SERVER',
      },
      {
        id: 4,
        title: 'Moving house',
        start_date: '2024-05-01T08:00',
        end_date: '2024-05-02T08:00',
        cron: '',
        timezone: 'UTC',
      },
      { id: 5, title: 'Dumps', strategy: 'cron', cron: '0 1,13 * * *', duration: 1_800, timezone: 'UTC' },
      { id: 6, title: 'Odd', strategy: 'cron', cron: '0 2 1 * 1', duration: 1_800, timezone: 'UTC' },
      { id: 7, title: 'Old', strategy: 'manual', active: 0, cron: '', timezone: 'UTC' },
      {
        id: 8,
        title: 'Lunch',
        strategy: 'cron',
        active: 0,
        cron: '0 12 * * *',
        duration: 60,
        timezone: 'UTC',
      },
      { id: 9, title: 'Page only', strategy: 'cron', cron: '0 12 * * *', duration: 60, timezone: 'UTC' },
    ],
    monitor_maintenance: [
      { monitor_id: 1, maintenance_id: 1 },
      { monitor_id: 3, maintenance_id: 1 },
      { monitor_id: 6, maintenance_id: 1 },
      { monitor_id: 12, maintenance_id: 2 },
      { monitor_id: 8, maintenance_id: 3 },
      { monitor_id: 1, maintenance_id: 4 },
      { monitor_id: 5, maintenance_id: 5 },
      { monitor_id: 5, maintenance_id: 6 },
      { monitor_id: 6, maintenance_id: 7 },
      { monitor_id: 1, maintenance_id: 8 },
    ],
    maintenance_status_page: [
      { status_page_id: 1, maintenance_id: 1 },
      { status_page_id: 1, maintenance_id: 9 },
    ],
  },
}

/** An export of Uptime Kuma without content. */
export const NO_KUMA_CONTENT: KumaExport = {
  monitors: [],
  notifications: [],
  attached: [],
  tags: [],
  baseUrl: '',
  warningDays: [],
  windows: { maintenances: [], covered: [], onPages: [], serverZone: '' },
  pages: { pages: [], domains: [], groups: [], shown: [], incidents: [] },
  proxies: [],
  dockerHosts: [],
  others: {},
}
