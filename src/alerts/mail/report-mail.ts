import type { SendMailOptions } from 'nodemailer'
import { linkOf } from '../../core/accounts/asked-address.ts'
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../../core/alerting/delivery.ts'
import { formatDuration } from '../../core/duration.ts'
import { shownTexts } from '../../core/language/hidden-characters.ts'
import { phrase } from '../../core/language/phrase.ts'
import { translatorOf } from '../../core/language/service.ts'
import type { Translator } from '../../core/language/translate.ts'
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

/** Mails the report of a month, once; `id` identifies it across attempts. Expected failures are data. */
export function createReportMail(
  network: Network,
  mail: MailSettings | null,
  siteUrl: string,
  now: () => Date,
): (report: ReportMail, id: string, signal: AbortSignal) => Promise<DeliveryOutcome> {
  const send = openMail(network, mail, ATTEMPT_TIMEOUT_MS)
  return (report, id, signal) =>
    send((from) => composeReport(shownTexts(report), id, from, siteUrl, now()), signal)
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
  return linkOf('report', siteUrl, token)
}

function titleOf({ name, month, language, report }: ReportMail): string {
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return `[${report.team}] ${name} – ${format.format(new Date(`${month}-01T00:00Z`))}`
}

function daysOf({ report: { from, to, time_zone } }: ReportMail, t: Translator['t']): string {
  return t('{from} to {to}, days in {zone}', { from, to, zone: time_zone })
}

function factsOf(totals: ReportTotals, t: Translator['t']): [label: string, value: string][] {
  const { uptime, down_seconds, incidents, longest_seconds, notice_seconds, recover_seconds } = totals
  return [
    [t('Uptime'), share(uptime)],
    [t('Time down'), formatDuration(down_seconds)],
    [t('Incidents'), String(incidents)],
    [t('Longest incident'), lasting(longest_seconds)],
    [t('Time to notice'), lasting(notice_seconds)],
    [t('Time to recover'), lasting(recover_seconds)],
  ]
}

function headOf(t: Translator['t']): string[] {
  return [t('Subject'), t('Uptime'), t('Time down'), t('Incidents'), t('Longest'), 'p95 (ms)']
}

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

const HOW_IT_COUNTS = phrase(
  'Uptime is the share of judged time that was up or degraded, never rounded up. Maintenance and unknown time do not count.',
)

/** Says what the text leaves to the file, or leaves out of both. */
function restOf({ report: { lines, subjects } }: ReportMail, t: Translator['t']): string {
  if (subjects <= MAX_MAILED_LINES) return t('The attached file has all figures.')
  const shown = { listed: MAX_MAILED_LINES, subjects, attached: lines.length }
  return lines.length < subjects
    ? t(
        '{listed, number} of {subjects, number} are listed, the lowest uptime first. The attached file has the {attached, number} with the lowest uptime.',
        shown,
      )
    : t(
        '{listed, number} of {subjects, number} are listed, the lowest uptime first. The attached file has all.',
        {
          listed: shown.listed,
          subjects,
        },
      )
}

function textOf(mail: ReportMail, link: string): string {
  const { t } = translatorOf(mail.language)
  return [
    titleOf(mail),
    daysOf(mail, t),
    factsOf(mail.report.totals, t)
      .map(([label, value]) => `${label}: ${value}`)
      .join('\n'),
    [headOf(t).join(' | '), ...rowsOf(mail).map((row) => row.join(' | '))].join('\n'),
    restOf(mail, t),
    t(HOW_IT_COUNTS),
    `-- \n${because(mail, t)}\n${t('Unsubscribe')}: ${link}`,
  ].join('\n\n')
}

function htmlOf(mail: ReportMail, link: string): string {
  const { t } = translatorOf(mail.language)
  const cell = (text: string, index: number) =>
    `<td style="padding:4px 8px;border-top:1px solid #98a2b3${index === 0 ? '' : ';text-align:right;white-space:nowrap'}">${html(text)}</td>`
  const head = headOf(t).map(
    (text, index) =>
      `<th style="padding:4px 8px;text-align:${index === 0 ? 'left' : 'right'}">${html(text)}</th>`,
  )
  return [
    '<!doctype html>',
    `<html lang="${mail.language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">`,
    `<title>${html(titleOf(mail))}</title></head>`,
    '<body style="font-family:system-ui,sans-serif;line-height:1.5">',
    `<h1 style="font-size:20px" dir="auto">${html(titleOf(mail))}</h1>`,
    `<p>${html(daysOf(mail, t))}</p>`,
    `<p>${factsOf(mail.report.totals, t)
      .map(([label, value]) => `<b>${html(label)}:</b> ${html(value)}`)
      .join('<br>\n')}</p>`,
    `<table style="border-collapse:collapse;font-size:14px"><thead><tr>${head.join('')}</tr></thead><tbody>`,
    ...rowsOf(mail).map((row) => `<tr>${row.map(cell).join('')}</tr>`),
    '</tbody></table>',
    `<p>${html(restOf(mail, t))}</p>`,
    `<hr><p><small>${html(t(HOW_IT_COUNTS))}<br>${html(because(mail, t))}<br>`,
    `<a href="${html(link)}">${html(t('Unsubscribe'))}</a></small></p>`,
    '</body></html>',
  ].join('\n')
}

function because({ name, report }: ReportMail, t: Translator['t']): string {
  return t(
    'You get this mail each month because you confirmed that the team {team} may send you its report {name}.',
    { team: report.team, name },
  )
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
