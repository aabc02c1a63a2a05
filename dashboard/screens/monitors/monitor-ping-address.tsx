import { KEPT_BODY_BYTES } from '../../../src/core/monitors/ping.ts'
import { intervalSecondsOf } from '../../../src/core/probing/schedule.ts'
import { rich, t } from '../../language/language.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Fold } from '../../parts/monitors/fold.tsx'
import type { Monitor } from './monitor-data.ts'

/** The URL that a job calls when it is done, ready to copy. Folded away once the first ping has come. */
export function PingAddress({ monitor }: { monitor: Monitor }) {
  const url = monitor.heartbeat_url
  if (!url) return null
  const waits = monitor.status === 'pending' && monitor.is_active
  return (
    <Fold
      title={t('Ping URL')}
      hint={t('With examples for scripts, cron and CI')}
      kept={waits ? undefined : 'ping-url'}
      opensFirst={waits}
    >
      <div className="flex flex-col gap-4 p-4">
        <div>
          <Copyable text={url} label={t('ping URL')} />
          <p className="mt-2 text-sm text-soft">
            {rich(
              'Call it when the job succeeds. Treat it as a secret: anyone who knows it can ping. Append <code>/fail</code>, or <code>/</code> and the exit status, to report a failure at once. You can send a log excerpt as the request body.',
              { code: (words) => <code className="font-mono">{words}</code> },
            )}
          </p>
        </div>
        {examplesOf(url, cronOf(monitor)).map(({ title, text }) => (
          <div key={title}>
            <h3 className="mb-1 font-medium">{title}</h3>
            <Copyable text={text} label={title} />
          </div>
        ))}
      </div>
    </Fold>
  )
}

function examplesOf(url: string, times: string) {
  const curl = `curl -fsS -m 10 --retry 5 -o /dev/null ${url}`
  return [
    { title: t('At the end of a script'), text: curl },
    { title: t('With duration and output'), text: wrapped(url) },
    { title: t('Crontab'), text: `${times} /path/to/job && ${curl}` },
    { title: t('Step in a CI pipeline (GitHub Actions)'), text: `- run: ${curl}` },
  ]
}

function wrapped(url: string): string {
  const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null'
  return [
    `${curl} ${url}/start`,
    'said=$(/path/to/job 2>&1); status=$?',
    `printf %s "$said" | tail -c ${KEPT_BODY_BYTES} | ${curl} --data-binary @- ${url}/$status`,
  ].join('\n')
}

/** The schedule, where it is one of cron. */
function cronOf(monitor: Monitor): string {
  const schedule = monitor.options?.schedule ?? ''
  return /^\S+( +\S+){4}$/.test(schedule) && !schedule.includes(':')
    ? schedule
    : cronTimes(intervalSecondsOf(monitor))
}

/** Crontab times that are no farther apart than the interval. */
function cronTimes(seconds: number): string {
  const minutes = Math.max(1, Math.floor(seconds / 60))
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return '0 3 * * *'
  if (hours >= 1) return `0 */${largestDivisor(24, hours)} * * *`.replace('*/1 ', '* ')
  return `*/${largestDivisor(60, minutes)} * * * *`.replace('*/1 ', '* ')
}

function largestDivisor(of: number, most: number): number {
  let divisor = most
  while (of % divisor > 0) divisor--
  return divisor
}
