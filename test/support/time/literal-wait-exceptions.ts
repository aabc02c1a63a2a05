/** A wait that stands as a number in a test all the same. */
export type WaitException = { file: string; wait: RegExp; why: string }

export const WAIT_EXCEPTIONS: WaitException[] = [
  {
    file: 'hostile/probing/standstills.ts',
    wait: /PAUSE_MS/,
    why: 'how often a run asks; no verdict waits for it',
  },
  {
    file: 'hostile/probing/takeovers.ts',
    wait: /LOOK_MS/,
    why: 'how often a run looks; no verdict waits for it',
  },
  {
    file: 'alerts/channels.test.ts',
    wait: /attemptTimeoutMs: 300/,
    why: 'the limit that is tried, on a clock that the test turns',
  },
  {
    file: 'launcher.test.ts',
    wait: /setTimeout\(end, 100, signal, 7\)/,
    why: 'how long a service of the test takes to stop',
  },
  {
    file: 'engine/threads/checking-threads.test.ts',
    wait: /MAX_PAUSE_MS/,
    why: 'of the time of createThreadsWorld, which the test turns',
  },
  {
    file: 'engine/probing/confirm.test.ts',
    wait: /tookMs|TIMEOUT_MS/,
    why: 'of the time of createConfirmWorld, which the test turns',
  },
  {
    file: 'engine/probing/schedule-confirmation.test.ts',
    wait: /setTimeout\(resolve, 500\)/,
    why: 'of the time of createScheduleWorld, which the test turns',
  },
  {
    file: 'imports/healthchecks.test.ts',
    wait: /\{ timeout: 600(, grace: 90_000)? \}/,
    why: 'the period of a check, as its export calls it',
  },
  {
    file: 'postgres/database-url.test.ts',
    wait: /connectTimeoutMs/,
    why: 'what an address says, which nobody connects to',
  },
  {
    file: 'hostile/command.ts',
    wait: /delay\(QUIET_MS\)/,
    why: 'how long a run by hand leaves the service in peace',
  },
  {
    file: 'hostile/database-server.ts',
    wait: /delay\(RETRY_MS\)/,
    why: 'paces the looks at a server that is to come back',
  },
  {
    file: 'hostile/faults.ts',
    wait: /MAX_STOP_MS/,
    why: 'what a supervisor gives a process that is to stop; what comes after it is a fault, too',
  },
  {
    file: 'hostile/servers/machines.ts',
    wait: /MAX_WAIT_MS/,
    why: 'how long an agent waits for an answer before the next report follows',
  },
  {
    file: 'hostile/sites/websites.ts',
    wait: /delay\((?:LOOK_MS|POLL_MS)\b/,
    why: 'paces the looks at crawls that end and at incidents that begin',
  },
  {
    file: 'hostile/run.ts',
    wait: /delay\(POLL_MS\)/,
    why: 'paces the looks at what has to settle',
  },
  {
    file: 'hostile/jobs.ts',
    wait: /delay\(PING_EVERY_MS,/,
    why: 'how often a job pings: a job may call 60 times a minute',
  },
  {
    file: 'hostile/members.ts',
    wait: /delay\(RESTART_PAUSE_MS\)/,
    why: 'how soon a supervisor starts a process again',
  },
  {
    file: 'probes/stopped.test.ts',
    wait: /delay\(STOPPED_MS\)/,
    why: 'how long a process is stopped for, which may well be longer',
  },
  {
    file: 'runner/progress.ts',
    wait: /REDRAW_MS/,
    why: 'paces the line that people see',
  },
  {
    file: 'runner/step.ts',
    wait: /STOP_GRACE_MS/,
    why: 'ends what a step left behind; no verdict depends on it',
  },
  {
    file: 'support/postgres/cluster-template.ts',
    wait: /UNUSED_MS/,
    why: 'the age at which a kept database is thrown away',
  },
  {
    file: 'support/time/standstills.ts',
    wait: /MAX_ANSWER_MS|ASK_EVERY_MS/,
    why: 'what counts as a standstill, which is then allowed for',
  },
  {
    file: 'service/processes/standstill.ts',
    wait: /TIMEOUT_MS/,
    why: 'the time-out of the monitors that it stops, and how far beyond',
  },
  {
    file: 'service-api/api-refusals.test.ts',
    wait: /DRAIN_MS/,
    why: 'how long the service reads on after a refusal, which is what is tried',
  },
  {
    file: 'service-whole/checks-http.test.ts',
    wait: /SLOW_MS/,
    why: 'a target that takes longer than the interval',
  },
]
