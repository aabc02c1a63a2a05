import type { Translator } from '../../language/translate.ts'
import type { ComponentState } from '../component-state.ts'
import type { DayState } from '../day-state.ts'
import type { PageHead } from '../post-tone.ts'
import { phaseWords } from './phase-words.ts'
import { subscriberWords } from './subscriber-words.ts'
import { writtenWords } from './written-words.ts'

export type PageWords = ReturnType<typeof pageWords>

/** Every fixed text of a status page, and of the messages to its subscribers. Texts that take something are functions. */
export function pageWords(t: Translator['t']) {
  return {
    states: {
      operational: t('Operational'),
      unknown: t('No data'),
      maintenance: t('Maintenance', undefined, 'state'),
      degraded: t('Degraded performance'),
      partial_outage: t('Partial outage'),
      major_outage: t('Major outage'),
    } satisfies Record<ComponentState, string>,
    /** The head line, for the state of the whole page. */
    heads: {
      incident: t('Ongoing incident'),
      operational: t('All systems operational'),
      unknown: t('Not everything is known right now'),
      maintenance: t('Maintenance in progress'),
      degraded: t('Degraded performance', undefined, 'whole page'),
      partial_outage: t('Partial outage', undefined, 'whole page'),
      major_outage: t('Major outage', undefined, 'whole page'),
    } satisfies Record<PageHead, string>,
    phases: phaseWords(t),
    /** The key below the bars. */
    days: {
      up: t('No outage'),
      short_outage: t('Short outage'),
      outage: t('Outage of 5 minutes or more'),
      maintenance: t('Maintenance'),
      unknown: t('No data'),
      none: t('Not monitored yet'),
    } satisfies Record<DayState, string>,
    affected: (count: number, total: number) =>
      t(
        '{count} of {total} {total, plural, one {component} other {components}} {count, plural, one {is} other {are}} not operational',
        { count, total },
      ),
    empty: t('There is nothing on this page yet.'),
    sections: {
      ongoing: t('Ongoing', undefined, 'posts'),
      planned: t('Planned maintenance'),
      components: t('Components'),
      recent: t('Recent'),
      history: t('History'),
      updates: t('Updates', undefined, 'posts'),
    },
    uptime: {
      of: (percent: string) => t('{percent} uptime', { percent }),
      none: t('No uptime yet'),
      today: t('Today'),
      rule: t(
        'Uptime is the share of judged time without an outage, cut and never rounded up; maintenance and time without data do not count. Days are in UTC.',
      ),
      down: (duration: string) => t('Outage: {duration}', { duration }),
      maintenance: (duration: string) => t('Maintenance: {duration}', { duration }),
      unknown: (duration: string) => t('No data: {duration}', { duration }),
      quiet: t('No outage on any of these days.'),
    },
    chart: {
      title: t('Response time in the last 24 hours'),
      median: (time: string) => t('Median {time}', { time }),
      highest: (time: string) => t('highest {time}', { time }),
      none: t('No response times yet.'),
    },
    posts: {
      affects: (names: string) => t('Affected: {names}', { names }),
      affectsNone: t('No affected component is named.'),
      began: (time: string) => t('Since {time}', { time }),
      over: (duration: string) => t('Lasted {duration}', { duration }),
      from: (start: string, end: string) => t('{start} to {end}', { start, end }),
      running: (end: string) => t('In progress until {end}', { end }),
      allUpdates: (count: number) => t('{count, plural, one {# update} other {All # updates}}', { count }),
      noneRecent: t('Nothing was reported lately.'),
      noneInMonth: t('Nothing was reported in this month.'),
      back: t('Current status'),
      earlier: t('Earlier'),
      later: t('Later'),
    },
    times: {
      changed: (time: string) => t('Last change: {time}', { time }),
      asOf: (time: string) => t('As of {time}', { time }),
      zone: (name: string) => t('Times are in {name}.', { name }),
      stale: (time: string) =>
        t('This page cannot be brought up to date at the moment. It shows the status of {time}.', { time }),
      offline: t('No connection: this page may be out of date.'),
    },
    page: {
      title: (name: string) => t('{name} status', { name }),
      skip: t('Skip to content'),
      language: t('Language'),
      help: t('Get help'),
      wholePage: t('Open the status page'),
      software: t('Monitored with Upbeat'),
      calendar: t('Maintenance as a calendar'),
    },
    signIn: {
      title: t('This page needs a password'),
      intro: t('Enter the password that you were given.'),
      password: t('Password'),
      button: t('Show the page'),
      wrong: t('This is not the password.'),
      tooMany: t('Too many attempts. Wait a few minutes, then try again.'),
    },
    notFound: {
      title: t('Page not found'),
      text: t('There is no status page here, or it is not public.'),
    },
    unavailable: {
      title: t('Not available at the moment'),
      text: t('Try again in a minute. The current status is still shown.'),
    },
    ...writtenWords(t),
    ...subscriberWords(t),
  }
}
