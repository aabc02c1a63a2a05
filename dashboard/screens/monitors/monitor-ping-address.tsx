import { intervalSecondsOf } from '../../../src/core/monitors/monitor.ts'
import { KEPT_BODY_BYTES } from '../../../src/core/monitors/ping.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { Monitor } from './monitor-data.ts'

/** Where a job says that it is done, ready to be copied. */
export function PingAddress({ monitor }: { monitor: Monitor }) {
  const url = monitor.heartbeat_url
  if (!url) return null
  return (
    <Panel title="Ping address">
      <div className="flex flex-col gap-4 p-4">
        <div>
          <Copyable text={url} label="ping address" />
          <p className="mt-2 text-sm text-soft">
            Request it when the job has succeeded. Whoever knows the address can ping: treat it as a secret.
            Add <code className="font-mono">/fail</code>, or <code className="font-mono">/</code> and the exit
            status, to report a failure at once. What is sent with it is kept: the end of a log, for example.
          </p>
        </div>
        {examplesOf(url, intervalSecondsOf(monitor)).map(({ title, text }) => (
          <div key={title}>
            <h3 className="mb-1 font-medium">{title}</h3>
            <Copyable text={text} label={title} />
          </div>
        ))}
      </div>
    </Panel>
  )
}

function examplesOf(url: string, seconds: number) {
  const curl = `curl -fsS -m 10 --retry 5 -o /dev/null ${url}`
  return [
    { title: 'At the end of a script', text: curl },
    { title: 'With how long it took and what it printed', text: wrapped(url) },
    { title: 'Crontab', text: `${cronTimes(seconds)} /path/to/job && ${curl}` },
    { title: 'Step of a CI pipeline (GitHub Actions)', text: `- run: ${curl}` },
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

/** The times of a crontab that are not further apart than the interval. */
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
