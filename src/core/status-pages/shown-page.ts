import * as z from 'zod'
import { Instant } from '../instant.ts'
import { PageLanguage } from '../language/page-languages.ts'
import type { Said } from '../language/said.ts'
import { ofEachKind } from '../maintenance/subject-kind.ts'
import { RecordId } from '../record-id.ts'
import { withoutSchemaDefaults } from '../shape.ts'
import { MAX_NAME_LENGTH } from '../text.ts'
import { LOGO_TYPES } from './logo/logo.ts'
import { Component, Group, Layout, MAX_DOMAINS_OF_PAGE, MAX_LOGO_BYTES, StatusPage } from './status-page.ts'

/** The dashboard's questions about status pages, and the answers. */

/** A field that is left out stays as it is. */
export const StatusPagePatch = z.object(withoutSchemaDefaults(StatusPage.shape)).partial()
export type StatusPagePatch = z.infer<typeof StatusPagePatch>

/** A page as it would be with changes that are not saved yet. */
export const PagePreviewRequest = z.object({
  settings: StatusPagePatch.default({}),
  /** Null: as it is saved. */
  layout: Layout.nullable().default(null),
})

/** A page as visitors would see it. */
export const PagePreview = z.object({
  language: PageLanguage,
  /** The whole style sheet. */
  style: z.string(),
  /** The content of the body. */
  html: z.string(),
})
export type PagePreview = z.infer<typeof PagePreview>

/** A raster image, told by its bytes; in base64. */
export const LogoBody = z.object({
  logo: z
    .base64()
    .min(1)
    .max(4 * Math.ceil(MAX_LOGO_BYTES / 3))
    .describe('PNG, JPEG, WebP or GIF, in base64.'),
})

/** `lost`: proved once, but the latest look-up did not find the record; given up some days later. */
export const DomainState = z.enum(['unproved', 'proved', 'lost'])
export type DomainState = z.infer<typeof DomainState>

/** An own domain, and the DNS record that proves it. */
export const ShownDomain = z.object({
  domain: z.string(),
  state: DomainState,
  /** Name and value of the TXT record. */
  record_name: z.string(),
  record_value: z.string(),
  proved_at: Instant.nullable(),
  looked_at: Instant.nullable(),
  /** When it is given up unless it is proved by then. */
  given_up_at: Instant,
})
export type ShownDomain = z.infer<typeof ShownDomain>

/** `contested`: the record is there, and that of another page, too, which has the domain. */
export const ProofOutcome = z.enum(['proved', 'missing', 'contested', 'unanswered'])
export type ProofOutcome = z.infer<typeof ProofOutcome>

/** The answer about a look-up of the record. */
export const DomainProof = z.object({
  outcome: ProofOutcome,
  /** TXT values at the name, cut. */
  found: z.array(z.string()).max(20),
  /** One sentence for people. */
  detail: z.custom<Said>(),
  domain: ShownDomain,
})
export type DomainProof = z.infer<typeof DomainProof>

/** A line of the list. */
export const StatusPageRow = z.object({
  id: RecordId,
  name: z.string().meta({ maxLength: MAX_NAME_LENGTH }),
  slug: z.string(),
  /** The address on the own domain, or below the service's; it has no slash at the end. */
  url: z.string(),
  visibility: StatusPage.shape.visibility,
  is_published: z.boolean(),
  component_count: z.int(),
  /** Proved own domains, the oldest first. */
  domains: z.array(z.string()).max(MAX_DOMAINS_OF_PAGE),
  created_at: Instant,
  updated_at: Instant,
})
export type StatusPageRow = z.infer<typeof StatusPageRow>

/** How many pages and own domains the team has, and its plan allows; null: unlimited. */
export const StatusPageLimits = z.object({
  pages: z.int(),
  max_pages: z.int().nullable(),
  domains: z.int(),
  max_domains: z.int().nullable(),
})
export type StatusPageLimits = z.infer<typeof StatusPageLimits>

const ShownSubject = z.object({ id: RecordId, name: z.string(), is_deleted: z.boolean() })

/** `monitor`, `server`, `site`: all null for a component that is set by hand. One of a deleted subject is on no page. */
export const ShownComponent = Component.omit({ id: true, description: true }).extend({
  id: RecordId,
  description: z.string(),
  /** Whether it stands in its group because its subject carries the tags of that. */
  by_tag: z.boolean(),
  ...ofEachKind(() => ShownSubject.nullable()),
})
export type ShownComponent = z.infer<typeof ShownComponent>

export const ShownGroup = Group.omit({ id: true, components: true }).extend({
  id: RecordId,
  components: z.array(ShownComponent),
})

export const ShownLayout = z.object({
  items: z.array(z.union([z.object({ group: ShownGroup }), z.object({ component: ShownComponent })])),
})
export type ShownLayout = z.infer<typeof ShownLayout>

/** A page with everything that its editor shows. */
export const StatusPageDetail = StatusPageRow.omit({ domains: true }).extend({
  /** The settings as the form sends them. */
  fields: StatusPage,
  layout: ShownLayout,
  domains: z.array(ShownDomain).max(MAX_DOMAINS_OF_PAGE),
  has_password: z.boolean(),
  /** `tag` changes with the image. */
  logo: z.object({ type: z.enum(LOGO_TYPES), tag: z.string() }).nullable(),
  /** Base of the feeds for readers without cookies: `{base}/feed.rss`. Null without one, and for viewers. */
  private_feeds: z.string().nullable(),
})
export type StatusPageDetail = z.infer<typeof StatusPageDetail>
