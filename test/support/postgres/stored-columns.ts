/**
 * The kinds of what columns hold. `sealed`: encrypted with the service's key. `hashed`: a hash, of a token that nobody guesses,
 * of a password by Argon2id, or of an address. `personal`: about a person, readable. `words`: chosen or written by a team,
 * readable, without the query of a monitor's address. `heard`: said by targets, receivers, jobs, servers and websites, with the
 * secrets of the team masked where it came in. `vacated`: stored in the clear by older releases, and empty once addresses and
 * numbers are hidden. `plain`: ids, times, states, figures and settings of the service.
 */
export type Holding = 'sealed' | 'hashed' | 'personal' | 'words' | 'heard' | 'vacated' | 'plain'

/** JSON and history hold several things: the most telling counts. */
export const STORED: Record<string, { [Kind in Holding]?: string }> = {
  account_events: { personal: 'detail address user_agent', plain: 'id user_id at kind' },
  acknowledgements: {
    words: 'note',
    plain:
      'id team_id kind team_incident_id incident_id server_incident_id site_incident_id drill_id via user_id contact_id acknowledged_at withdrawn_at withdrawn_by',
  },
  agreements: { hashed: 'address_hash link_hash', plain: 'team_id asked_at expires_at agreed_at' },
  audit_entries: {
    personal: 'actor_name',
    words: 'subject changes',
    plain: 'id team_id at user_id door action subject_id fields',
  },
  authenticators: { sealed: 'secret', plain: 'id user_id confirmed_at last_step' },
  check_chunks: { heard: 'content', plain: 'day monitor_id generation segment checks' },
  check_days: {
    plain:
      'day response_time_sum_ms monitor_id up degraded down pending region histogram up_ms degraded_ms down_ms maintenance_ms min_ms max_ms',
  },
  check_hours: {
    plain:
      'hour response_time_sum_ms monitor_id up degraded down pending region histogram up_ms degraded_ms down_ms maintenance_ms min_ms max_ms',
  },
  checks: {
    heard: 'error_message',
    plain: 'checked_at monitor_id response_time_ms http_status_code status region phases',
  },
  compacted_days: { plain: 'day generations' },
  compacted_server_days: { plain: 'day generations' },
  confirmations: { heard: 'result', plain: 'id monitor_id revision region asked_by claimed_by expires_at' },
  contacts: {
    sealed: 'config',
    hashed: 'unagreed_hash',
    words: 'name',
    plain: 'id team_id type notify_on_down notify_on_recovery created_at user_id quiet_hours time_zone',
  },
  deleted_records: { words: 'content', plain: 'id team_id kind record_id deleted_at' },
  deliveries: {
    hashed: 'mailbox_hash',
    words: 'contact_name alert',
    heard: 'receipt',
    plain:
      'id message_id team_id contact_id contact_type kind subject_id team_incident_id monitor_id incident_id server_id server_incident_id site_id site_incident_id event state attempts next_attempt_at claimed_by claimed_until created_at finished_at digest step held_until part parts_sent',
  },
  delivery_attempts: {
    heard: 'detail',
    plain: 'delivery_id attempt attempted_at duration_ms outcome status_code',
  },
  baselines: {
    heard: 'server redirect',
    plain: 'monitor_id team_id revision seen_at region address bytes fingerprint',
  },
  diagnoses: {
    heard: 'found',
    plain: 'id team_id monitor_id kind team_incident_id asked_at expires_at claimed_by began_at ended_at',
  },
  email_links: { hashed: 'token_hash', personal: 'email', plain: 'user_id expires_at is_change' },
  escalation_policies: {
    words: 'name tags',
    plain: 'id team_id steps repeats repeat_every_minutes created_at',
  },
  escalation_steps: {
    words: 'schedule_name',
    plain: 'id escalation_id kind number round due_at look_at state done_at nobody',
  },
  escalations: {
    words: 'policy_name alert',
    plain:
      'id team_id kind team_incident_id incident_id server_incident_id site_incident_id drill_id steps repeats repeat_every_minutes runs_from',
  },
  flaps: {
    words: 'alert',
    plain: 'id kind subject_id about team_id since ended_at changes team_incident_id left_open look_at',
  },
  failing_answers: {
    heard: 'skeleton answer',
    plain: 'id monitor_id incident_id checked_at http_status_code',
  },
  group_requests: { plain: 'id group_id' },
  history_progress: {
    plain:
      'only_row hours_until compacting_day compacted_monitor_id timed_until converted_monitor_id server_hours_until compacting_server_day compacted_server_id site_days_until',
  },
  history_stretches: { plain: 'work from_at to_at after_id until_id' },
  identities: { personal: 'subject', plain: 'issuer user_id created_at' },
  incident_posts: { plain: 'page_id kind team_incident_id post_id' },
  incident_notes: {
    words: 'text',
    plain:
      'id team_id kind team_incident_id incident_id server_incident_id site_incident_id user_id written_at',
  },
  invitations: {
    hashed: 'link_hash letter_hash',
    personal: 'email',
    plain: 'id team_id role invited_by created_at expires_at',
  },
  leases: { plain: 'name holder expires_at' },
  letters: {
    sealed: 'content',
    hashed: 'mailbox_hash',
    plain: 'id team_id message_id attempts next_attempt_at claimed_by claimed_until created_at expires_at',
  },
  mail_tests: { sealed: 'settings', heard: 'result', plain: 'id user_id is_claimed expires_at' },
  mailboxes: { hashed: 'mailbox_hash', plain: 'hour_began_at sent digest_at' },
  maintenance_occurrences: {
    plain: 'window_id team_id starts_at ends_at ended_by all_subjects monitor_ids server_ids site_ids',
  },
  maintenance_window_subjects: { plain: 'window_id kind subject_id' },
  maintenance_windows: {
    sealed: 'token',
    hashed: 'token_hash',
    words: 'name note tags public_name',
    plain:
      'id team_id kind all_subjects shows_on_pages starts_at ends_at local_start time_zone duration_minutes rule exceptions max_minutes ends_when_passing since created_at deleted_at',
  },
  members: { plain: 'team_id user_id role created_at first_steps_hidden_at' },
  monitor_notes: { words: 'runbook_url notes', plain: 'monitor_id' },
  monitor_pauses: { plain: 'monitor_id paused_at resumed_at' },
  monitor_state: {
    heard: 'warned_certificate warned_certificates',
    plain:
      'monitor_id revision status last_checked_at ssl_expires_at open_incident_id heartbeat_due_at status_since passing failed_attempts next_attempt_at unmet held_since failing_until unwell_attempts response_times',
  },
  monitors: {
    sealed: 'request_headers password heartbeat_token sealed_url sealed_options',
    hashed: 'heartbeat_token_hash',
    words: 'name url expected_keyword username tags options',
    plain:
      'id team_id type is_active check_interval_minutes check_interval_seconds http_method expected_status_codes port request_timeout_seconds ssl_expiry_warning_days slot revision changed_at created_at deleted_at check_requested_at badge_id',
  },
  oauth_clients: { words: 'name redirect_uris', plain: 'id created_at described_at last_used_at' },
  oauth_codes: {
    hashed: 'code_hash challenge',
    words: 'redirect_uri',
    plain: 'client_id user_id team_id resource access expires_at token_id',
  },
  oauth_refresh_tokens: { hashed: 'token_hash', plain: 'token_id expires_at used_at' },
  overruns: { plain: 'monitor_id prober until' },
  passkey_challenges: { hashed: 'challenge_hash', plain: 'user_id expires_at' },
  passkeys: {
    personal: 'name credential_id',
    plain: 'id user_id public_key counter transports created_at last_used_at',
  },
  password_links: { hashed: 'token_hash', plain: 'user_id expires_at is_mailed' },
  pings: { heard: 'run_id body', plain: 'received_at monitor_id kind exit_status' },
  probe_holdings: { plain: 'membership since until probe_token slots' },
  probe_sessions: { plain: 'id probe_token acknowledged seen_at' },
  probe_tokens: {
    hashed: 'token_hash',
    words: 'name',
    plain: 'id region ending created_at last_used_at revoked_at expires_at',
  },
  probers: { plain: 'id region host pid joined_at expires_at leaving probe_token opens_addresses' },
  push_keys: { sealed: 'private_key', plain: 'id public_key created_at' },
  rate_limits: { personal: 'key', plain: 'points expire' },
  recovery_codes: { hashed: 'code_hash', plain: 'user_id' },
  registry_services: { heard: 'content', plain: 'only_row asked_at' },
  report_editions: { words: 'content', plain: 'report_id month created_at' },
  report_mails: {
    heard: 'detail',
    plain:
      'id team_id report_id month recipient_id message_id state attempts next_attempt_at claimed_by claimed_until created_at finished_at',
  },
  report_recipients: {
    sealed: 'address token',
    hashed: 'address_hash token_hash',
    plain: 'id report_id team_id confirmed_at refused_at created_at',
  },
  reports: {
    words: 'name tags',
    plain: 'id team_id time_zone all_subjects monitor_ids server_ids site_ids next_mail_at created_at',
  },
  reserved_regions: { plain: 'region team_ids' },
  schedule_overrides: { plain: 'id schedule_id team_id participant starts_at ends_at created_at' },
  schedule_participant_contacts: { plain: 'schedule_id participant contact_id position' },
  schedule_participants: { personal: 'name', plain: 'schedule_id key team_id position user_id' },
  scheduler_pulse: { plain: 'only_row alive_at reached_at' },
  schedules: {
    sealed: 'token',
    hashed: 'token_hash',
    words: 'name',
    plain: 'id team_id time_zone layers created_at',
  },
  schema_migrations: { plain: 'version name applied_at' },
  sealing: { plain: 'single binds_from hides_from' },
  server_chunks: { heard: 'content', plain: 'day server_id generation samples' },
  server_hours: { heard: 'content', plain: 'hour server_id up_ms degraded_ms down_ms maintenance_ms' },
  server_samples: { heard: 'content', plain: 'at server_id' },
  server_state: {
    heard: 'machine counters latest conditions trends other_machine not_understood hosted hosted_conditions',
    plain: 'server_id status status_since last_report_at silent_at',
  },
  servers: {
    sealed: 'token',
    hashed: 'token_hash',
    words: 'name tags',
    plain: 'id team_id is_active thresholds created_at deleted_at',
  },
  service_settings: { sealed: 'smtp_url', plain: 'id site_url mail_from changed_at' },
  sessions: {
    hashed: 'token_hash',
    personal: 'address user_agent',
    plain: 'id user_id team_id created_at last_used_at expires_at',
  },
  setup_links: { hashed: 'token_hash', plain: 'expires_at' },
  sign_ups: { hashed: 'token_hash password_hash', personal: 'email name', plain: 'expires_at' },
  site_areas: {
    words: 'snooze_reason',
    heard: 'cause cause_reasons memory told_cause doubt',
    plain: 'site_id area status status_since looked_at next_look_at snoozed_until told_status doubted_at',
  },
  site_crawl_addresses: { heard: 'address_hash address host outcome', plain: 'crawl_id is_page depth' },
  site_crawl_faults: { heard: 'key_hash page_hash address detail label', plain: 'crawl_id kind' },
  site_crawl_links: { heard: 'target_hash page_hash label', plain: 'crawl_id' },
  site_crawls: {
    heard: 'cut_short cut_reasons',
    plain: 'id site_id started_at ended_at by_hand held_by held_until',
  },
  site_days: { plain: 'day site_id up_ms degraded_ms down_ms maintenance_ms' },
  site_dns_sets: { heard: 'set_hash records', plain: 'site_id type first_seen_at last_seen_at' },
  site_findings: {
    words: 'ignored_reason',
    heard: 'key_hash address detail sources',
    plain: 'id site_id area kind first_seen_at last_seen_at confirmed_at told_at fixed_at ignored_at',
  },
  site_host_seats: { heard: 'host', plain: 'seat held_until next_start_at' },
  sites: {
    words: 'name url ignored_patterns tags',
    plain:
      'id team_id is_active slot home_interval_seconds max_pages checks_foreign_links domain_expires_on areas_off revision created_at deleted_at',
  },
  slots: { plain: 'region slot holder wanted_by due_from cut' },
  status_components: {
    words: 'name description',
    plain:
      'id page_id group_id position kind subject_id monitor_id server_id site_id shows_uptime shows_chart state created_at updated_at by_tag',
  },
  status_domains: { words: 'domain', plain: 'page_id team_id proof proved_at looked_at created_at' },
  status_groups: { words: 'name tags', plain: 'id page_id is_open position created_at' },
  status_notices: {
    heard: 'detail',
    plain:
      'id team_id update_id subscriber_id message_id state attempts next_attempt_at claimed_by claimed_until created_at finished_at',
  },
  status_pages: {
    sealed: 'feed_token',
    hashed: 'password_hash feed_token_hash',
    words: 'slug name description networks home_url support_url logo',
    plain:
      'id team_id visibility language theme accent_color days posts allows_subscribers template_id is_published password_revision logo_type revision created_at updated_at',
  },
  status_posts: {
    words: 'title',
    plain:
      'id page_id team_id kind phase started_at resolved_at scheduled_for scheduled_until incident_kind incident_id is_automatic published_at created_at updated_at window_id occurrence_at follows_window window_revision',
  },
  status_subscribers: {
    sealed: 'address token',
    hashed: 'address_hash token_hash',
    plain: 'id page_id team_id type component_ids language confirmed_at refused_at created_at',
  },
  status_templates: { words: 'name title body', plain: 'id team_id phase created_at' },
  status_updates: {
    words: 'body',
    plain: 'id post_id phase impacts at created_at edited_at sent_before failed_before',
  },
  subject_contacts: { plain: 'kind subject_id contact_id' },
  subject_policies: { plain: 'kind subject_id policy_id' },
  subject_status_changes: { plain: 'kind subject_id at status' },
  subjects: { words: 'name', plain: 'kind id team_id created_at deleted_at' },
  team_incidents: {
    heard: 'about cause processes',
    plain:
      'kind id team_id subject_id policy_id warns_only started_at resolved_at held_by untold while_flapping',
  },
  teams: {
    sealed: 'signing_secret calendar_token',
    hashed: 'calendar_token_hash',
    words: 'name',
    plain:
      'id plan created_at confirmations recovery_checks maintenance_revision language reminder_minutes time_zone flap_changes flap_minutes',
  },
  tokens: {
    hashed: 'token_hash',
    words: 'name',
    personal: 'last_used_from last_used_by',
    plain:
      'id team_id user_id ending created_at last_used_at expires_at revoked_at client_id resource access access_expires_at',
  },
  trial_checks: {
    sealed: 'settings',
    heard: 'result',
    plain: 'id team_id user_id claimed_by region checked_at expires_at',
  },
  turns: { plain: 'only_row number before regions effective_at' },
  users: {
    sealed: 'sealed_phone',
    hashed: 'password_hash',
    personal: 'email name',
    vacated: 'phone',
    plain: 'id created_at email_verified_at signed_up_at is_operator disabled_at language',
  },
}

/** The columns of a kind, as `table.column`. */
export function columnsOfKind(kind: Holding): string[] {
  return Object.entries(STORED).flatMap(
    ([table, holdings]) => holdings[kind]?.split(' ').map((name) => `${table}.${name}`) ?? [],
  )
}
