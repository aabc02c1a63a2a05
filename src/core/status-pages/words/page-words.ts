import type { ComponentState } from '../component-state.ts'
import type { DayState } from '../day-state.ts'
import type { PostPhase } from '../post.ts'
import type { PageLanguage } from '../status-page.ts'

/** Every fixed text of a status page, and of the messages to its subscribers, in one language. Texts that take something are functions. */
export type PageWords = {
  states: Record<ComponentState, string>
  /** The head line, for the state of the whole page. */
  heads: Record<ComponentState, string>
  phases: Record<PostPhase, string>
  /** The key below the bars. */
  days: Record<DayState, string>
  affected(count: number, total: number): string
  empty: string
  sections: {
    ongoing: string
    planned: string
    components: string
    recent: string
    history: string
    updates: string
  }
  uptime: {
    of(percent: string): string
    none: string
    today: string
    rule: string
    down(duration: string): string
    maintenance(duration: string): string
    unknown(duration: string): string
    quiet: string
  }
  chart: { title: string; median(time: string): string; highest(time: string): string; none: string }
  posts: {
    affects(names: string): string
    began(time: string): string
    over(duration: string): string
    from(start: string, end: string): string
    running(end: string): string
    allUpdates(count: number): string
    noneRecent: string
    noneInMonth: string
    back: string
    earlier: string
    later: string
  }
  times: {
    changed(time: string): string
    asOf(time: string): string
    zone(name: string): string
    stale(time: string): string
    offline: string
  }
  page: {
    title(name: string): string
    skip: string
    language: string
    help: string
    wholePage: string
    software: string
    calendar: string
  }
  subscribe: {
    title: string
    intro: string
    email: string
    byMail: string
    webhook: string
    webhookHint: string
    byWebhook: string
    scope: string
    whole: string
    chosen: string
    sentTitle: string
    sent: string
    webhookSentTitle: string
    webhookSent: string
    tooManyTitle: string
    tooMany: string
  }
  subscription: {
    confirmTitle: string
    confirm(address: string, page: string): string
    confirmButton: string
    manageTitle: string
    manage(address: string): string
    change: string
    changed: string
    endTitle: string
    end(address: string): string
    endButton: string
    confirmedTitle: string
    confirmed(address: string): string
    endedTitle: string
    ended(address: string): string
    goneTitle: string
    gone: string
  }
  signIn: { title: string; intro: string; password: string; button: string; wrong: string; tooMany: string }
  notFound: { title: string; text: string }
  unavailable: { title: string; text: string }
  /** Posts that the service writes about outages; `names` is a list of components. */
  outages: {
    title(names: string): string
    began(names: string): string
    joined(names: string): string
    eased(names: string): string
    resolved: string
    more(count: number): string
  }
  /** Updates that the service writes about planned maintenance; times are texts. */
  planned: {
    began: string
    completed: string
    calledOff: string
    until(end: string): string
    moved(start: string, end: string): string
  }
  /** Around posts in messages to subscribers, and of the form that takes an address. */
  notices: {
    /** For a page whose name has no letters. */
    nameless: string
    affected: string
    because(page: string): string
    manage: string
    confirmTitle(page: string): string
    confirm(page: string): string
    /** To somebody who subscribed before. */
    known(page: string): string
    wrongEmail: string
    wrongUrl: string
  }
}

/** Chooses the form that the language's grammar asks for (Unicode CLDR); `other` is any form that is not given. */
export function plural(
  language: PageLanguage,
): (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}
