import type { Context, Hono } from 'hono'
import { expiredLinkPage, limitForm, type Speaker, type SpeakerOf } from './private-page.ts'

/** A request to a page behind a mailed link, which `link` is, with what the link is for. */
export type FollowedLink<Found> = { speaker: Speaker; context: Context; link: string; found: Found }

type LinkPage<Found> = {
  /** Null for a link that does not work, or no longer. */
  read: (link: string) => Promise<Found | null>
  /** Asks for a click first, because mail filters open links, too. */
  ask: (followed: FollowedLink<Found>) => Response | Promise<Response>
  submit: (followed: FollowedLink<Found>) => Promise<Response>
}

/** Adds a page behind a mailed link: what it asks, and what its form does. `path` has the link as `:link`. */
export function addLinkPage<Found>(
  app: Hono,
  path: string,
  speakerOf: SpeakerOf,
  { read, ask, submit }: LinkPage<Found>,
): void {
  const followed = async (context: Context, go: LinkPage<Found>['ask']) => {
    const speaker = speakerOf(context)
    const link = context.req.param('link') ?? ''
    const found = await read(link)
    return found === null ? expiredLinkPage(speaker) : go({ speaker, context, link, found })
  }
  app.get(path, (context) => followed(context, ask))
  app.post(path, limitForm(speakerOf), (context) => followed(context, submit))
}
