import type { SendMailOptions } from 'nodemailer'
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../../core/alerting/delivery.ts'
import { formatDuration } from '../../core/duration.ts'
import { formatUptime } from '../../core/percent.ts'
import type { ReportMail } from '../../core/reports/recipient.ts'
import type { ReportTotals } from '../../core/reports/report.ts'
import { reportCsv } from '../../core/reports/report-csv.ts'
import type { Network } from '../../net/network.ts'
import { openMail } from '../email.ts'
import { escapeHtml } from '../text/markup.ts'
import { mailHeaders, subjectOf } from './mail.ts'
import type { MailSettings } from './smtp-options.ts'

/** Lines in the text of a mail; the file that it carries has the rest. */
const MAX_MAILED_LINES = 50

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Mails the report of a month, once; `id` identifies it across attempts. Expected failures are data. */
export function createReportMail(
  network: Network,
  mail: MailSettings | null,
  siteUrl: string,
  now: () => Date,
): (report: ReportMail, id: string, signal: AbortSignal) => Promise<DeliveryOutcome> {
  const send = openMail(network, mail, ATTEMPT_TIMEOUT_MS)
  return (report, id, signal) => send((from) => composeReport(report, id, from, siteUrl, now()), signal)
}

function composeReport(
  mail: ReportMail,
  messageId: string,
  from: string,
  siteUrl: string,
  sentAt: Date,
): SendMailOptions {
  const common = mailHeaders({ messageId, address: mail.address, sentAt }, from, siteUrl)
  const link = recipientUrl(siteUrl, mail.token)
  return {
    ...common,
    headers: {
      ...common.headers,
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    subject: subjectOf(titleOf(mail)),
    text: textOf(mail, link),
    html: htmlOf(mail, link),
    attachments: [
      {
        filename: `report-${mail.month}.csv`,
        content: reportCsv(mail.report),
        contentType: 'text/csv; charset=utf-8',
      },
    ],
  }
}

export function recipientUrl(siteUrl: string, token: string): string {
  return `${siteUrl}/report-mails/${token}`
}

function titleOf({ name, month: of, report }: ReportMail): string {
  return `[${report.team}] ${name} – ${month.format(new Date(`${of}-01T00:00Z`))}`
}

function factsOf(totals: ReportTotals): [label: string, value: string][] {
  const { uptime, down_seconds, incidents, longest_seconds, notice_seconds, recover_seconds } = totals
  return [
    ['Uptime', share(uptime)],
    ['Time down', formatDuration(down_seconds)],
    ['Incidents', String(incidents)],
    ['Longest incident', lasting(longest_seconds)],
    ['Time to notice', lasting(notice_seconds)],
    ['Time to recover', lasting(recover_seconds)],
  ]
}

const HEAD = ['Subject', 'Uptime', 'Time down', 'Incidents', 'Longest', 'p95 (ms)']

function rowsOf({ report }: ReportMail): string[][] {
  return report.lines
    .slice(0, MAX_MAILED_LINES)
    .map((line) => [
      line.name,
      share(line.uptime),
      line.down_seconds === 0 ? '–' : formatDuration(line.down_seconds),
      String(line.incidents),
      lasting(line.longest_seconds),
      line.p95_ms === null ? '–' : String(line.p95_ms),
    ])
}

const HOW_IT_COUNTS =
  'Uptime is the share of judged time that was up or degraded, never rounded up. Maintenance and unknown time do not count.'

/** Says what the text leaves to the file, or leaves out of both. */
function restOf({ report: { lines, subjects } }: ReportMail): string {
  if (subjects <= MAX_MAILED_LINES) return 'The file that is attached has all figures.'
  const attached = lines.length < subjects ? `the ${lines.length} with the lowest uptime` : 'all'
  return `${MAX_MAILED_LINES} of ${subjects} are listed, the lowest uptime first. The file that is attached has ${attached}.`
}

function textOf(mail: ReportMail, link: string): string {
  const { report } = mail
  return [
    titleOf(mail),
    `${report.from} to ${report.to}, days in ${report.time_zone}`,
    factsOf(report.totals)
      .map(([label, value]) => `${label}: ${value}`)
      .join('\n'),
    [HEAD.join(' | '), ...rowsOf(mail).map((row) => row.join(' | '))].join('\n'),
    restOf(mail),
    HOW_IT_COUNTS,
    `-- \n${because(mail)}\nUnsubscribe: ${link}`,
  ].join('\n\n')
}

function htmlOf(mail: ReportMail, link: string): string {
  const { report } = mail
  const cell = (text: string, index: number) =>
    `<td style="padding:4px 8px;border-top:1px solid #98a2b3${index === 0 ? '' : ';text-align:right;white-space:nowrap'}">${html(text)}</td>`
  const head = HEAD.map(
    (text, index) => `<th style="padding:4px 8px;text-align:${index === 0 ? 'left' : 'right'}">${text}</th>`,
  )
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    `<title>${html(titleOf(mail))}</title></head>`,
    '<body style="font-family:system-ui,sans-serif;line-height:1.5">',
    `<h1 style="font-size:20px" dir="auto">${html(titleOf(mail))}</h1>`,
    `<p>${html(`${report.from} to ${report.to}, days in ${report.time_zone}`)}</p>`,
    `<p>${factsOf(report.totals)
      .map(([label, value]) => `<b>${label}:</b> ${html(value)}`)
      .join('<br>\n')}</p>`,
    `<table style="border-collapse:collapse;font-size:14px"><thead><tr>${head.join('')}</tr></thead><tbody>`,
    ...rowsOf(mail).map((row) => `<tr>${row.map(cell).join('')}</tr>`),
    '</tbody></table>',
    `<p>${html(restOf(mail))}</p>`,
    `<hr><p><small>${html(HOW_IT_COUNTS)}<br>${html(because(mail))}<br>`,
    `<a href="${html(link)}">Unsubscribe</a></small></p>`,
    '</body></html>',
  ].join('\n')
}

function because({ name, report }: ReportMail): string {
  return `You get this mail each month because you confirmed that the team ${report.team} may send you its report ${name}.`
}

function share(uptime: number | null): string {
  return uptime === null ? '–' : formatUptime(uptime)
}

function lasting(seconds: number | null): string {
  return seconds === null ? '–' : formatDuration(seconds)
}

function html(text: string): string {
  return Array.from(text, escapeHtml).join('')
}
