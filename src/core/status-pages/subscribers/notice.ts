import { linkOf } from '../../accounts/asked-address.ts'
import type { PageLanguage } from '../../language/page-languages.ts'
import type { ComponentState } from '../component-state.ts'
import type { PostKind, PostPhase } from '../post.ts'

/** A message to a subscriber of a page. `update`: null where a webhook is asked to confirm. */
export type Notice = {
  type: 'email' | 'webhook'
  address: string
  /** The token of the links that confirm, change and end the subscription. */
  token: string
  language: PageLanguage
  page: { id: number; name: string; url: string }
  update: NoticeUpdate | null
}

export type NoticeUpdate = {
  id: number
  phase: PostPhase
  /** Markdown. */
  body: string
  at: Date
  components: { id: number; name: string; state: ComponentState }[]
  post: {
    id: number
    kind: PostKind
    title: string
    startedAt: Date
    resolvedAt: Date | null
    scheduledFor: Date | null
    scheduledUntil: Date | null
  }
}

export function subscriptionUrl({ page, token }: Pick<Notice, 'page' | 'token'>): string {
  return linkOf('updates', page.url, token)
}

export function postUrl({ url }: Notice['page'], postId: number): string {
  return `${url}/posts/${postId}`
}

/** The JSON document that a webhook gets; times are in UTC. */
export function noticeDocument(notice: Notice) {
  const { page, update } = notice
  if (update === null) {
    return { event: 'status_page.subscription', page, confirm_url: subscriptionUrl(notice) }
  }
  const { post } = update
  return {
    event: 'status_page.update',
    page,
    post: {
      id: post.id,
      kind: post.kind,
      title: post.title,
      url: postUrl(page, post.id),
      started_at: post.startedAt.toISOString(),
      resolved_at: post.resolvedAt?.toISOString() ?? null,
      scheduled_for: post.scheduledFor?.toISOString() ?? null,
      scheduled_until: post.scheduledUntil?.toISOString() ?? null,
    },
    update: {
      id: update.id,
      phase: update.phase,
      body: update.body,
      at: update.at.toISOString(),
      components: update.components,
    },
    subscription_url: subscriptionUrl(notice),
  }
}
