import * as z from 'zod'
import { PageLanguage } from '../language/page-languages.ts'
import { phrase } from '../language/phrase.ts'
import { ofEachField } from '../maintenance/subject-kind.ts'
import { RecordId } from '../record-id.ts'
import { TagSelectors } from '../tags/tag.ts'
import { label, MAX_NAME_LENGTH, prose } from '../text.ts'

/** The bound of one team, whatever its plan says. */
export const MAX_STATUS_PAGES = 1_000
export const MAX_DOMAINS_OF_PAGE = 5
export const MAX_NETWORKS = 100
export const MAX_DESCRIPTION_LENGTH = 1_000
export const MIN_SLUG_LENGTH = 2
export const MAX_SLUG_LENGTH = 63
export const MIN_PAGE_PASSWORD_LENGTH = 8
export const MAX_PAGE_PASSWORD_LENGTH = 200
/** 256 kB. */
export const MAX_LOGO_BYTES = 262_144
/** Bodies of requests: a logo in base64, and a layout of many components with long descriptions. */
export const MAX_LOGO_BODY_BYTES = 2 * MAX_LOGO_BYTES
export const MAX_LAYOUT_BYTES = 2 * 1_024 * 1_024
const MAX_URL_LENGTH = 2_048

/** The visitors who see a published page. Members see it unpublished, too. */
export const PageVisibility = z.enum(['public', 'password', 'members', 'networks'])
export type PageVisibility = z.infer<typeof PageVisibility>

/** How many daily bars a component has. */
export const PAGE_DAYS = [30, 60, 90] as const

export const Slug = z
  .string()
  .min(MIN_SLUG_LENGTH)
  .max(MAX_SLUG_LENGTH)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, phrase('must be of a–z, 0–9 and single hyphens between them, got {got}'))

const Color = z.string().regex(/^#[0-9a-f]{6}$/i, phrase('must be a color such as #0a6cff, got {got}'))
const link = z.url({ protocol: /^https?$/ }).max(MAX_URL_LENGTH)

const AnyNetwork = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])
const Network = z
  .string()
  .refine(
    (network) => AnyNetwork.safeParse(network).success,
    phrase('must be a network such as 203.0.113.0/24, or an address'),
  )

/** The settings of a status page, as a form sends them. Domains, logo and password go their own ways. */
export const StatusPage = z.object({
  name: label(MAX_NAME_LENGTH).describe('Name of the page, shown as its title.'),
  slug: Slug.describe('Last part of the address: /status/{slug}. Unique on this installation.'),
  description: prose(MAX_DESCRIPTION_LENGTH)
    .default('')
    .describe('A few words below the title, as plain text.'),
  visibility: PageVisibility.default('public').describe('Who sees the page once it is published.'),
  networks: z
    .array(Network)
    .max(MAX_NETWORKS)
    .default([])
    .describe('Networks that see the page, for the visibility `networks`: 203.0.113.0/24, 2001:db8::/32.'),
  /** `auto`: the reader's, of those there are. Posts stay as they were written. */
  language: z
    .enum(['auto', ...PageLanguage.options])
    .default('auto')
    .describe('Language of the fixed texts.'),
  theme: z
    .enum(['auto', 'light', 'dark'])
    .default('auto')
    .describe('Colors: as the reader has set, light or dark.'),
  accent_color: Color.nullable().default(null).describe('Color of links and of the head line.'),
  home_url: link.nullable().default(null).describe('Address that the logo and the title lead to.'),
  support_url: link.nullable().default(null).describe('Address where visitors get help.'),
  days: z.literal(PAGE_DAYS).default(90).describe('Days that the bars show.'),
  /** Posts about outages: a draft that a person publishes, or published by itself from the page's template. */
  posts: z.enum(['draft', 'publish']).default('draft').describe('What happens when a component goes down.'),
  template_id: RecordId.nullable()
    .default(null)
    .describe('Template of posts about outages; null: a text in the language of the page.'),
  allows_subscribers: z
    .boolean()
    .default(true)
    .describe('Whether visitors can subscribe by e-mail and webhook.'),
})
export type StatusPage = z.infer<typeof StatusPage>

/** The host name of an own domain: lower case, at least two labels, no address. */
export const PageDomain = z
  .string()
  .max(253)
  .regex(
    /^(?=.*[a-z])([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/,
    phrase('must be a host name such as status.example.com, got {got}'),
  )

export const PagePassword = z.string().min(MIN_PAGE_PASSWORD_LENGTH).max(MAX_PAGE_PASSWORD_LENGTH)

export const MAX_COMPONENTS = 1_000
export const MAX_GROUPS = 100

/** A component as the editor sends it; `id` of one that exists. Its place in the list is its place on the page. */
export const Component = z.object({
  id: RecordId.nullable().default(null),
  /** The subject that says its state; all null for one whose state is set by hand. */
  ...ofEachField('_id', () => RecordId.nullable().default(null)),
  monitor_id: RecordId.nullable(),
  name: label(MAX_NAME_LENGTH).describe('Public name.'),
  description: prose(MAX_DESCRIPTION_LENGTH).default('').describe('Public description.'),
  shows_uptime: z.boolean().default(true).describe('Whether its bars and uptime are shown.'),
  shows_chart: z.boolean().default(false).describe('Whether its response times are shown.'),
  /** The state that is set by hand; ignored where something says its state. */
  state: z
    .enum(['operational', 'maintenance', 'degraded', 'partial_outage', 'major_outage'])
    .default('operational'),
})
export type Component = z.infer<typeof Component>

export const Group = z.object({
  id: RecordId.nullable().default(null),
  name: label(MAX_NAME_LENGTH),
  is_open: z.boolean().default(true).describe('Whether its components are shown at first.'),
  /** Empty: nothing comes by itself. Tags are never public; the names of what carries them are. */
  tags: TagSelectors.default([]).describe(
    'What carries all of these tags joins the group by itself, under its own name, and leaves it without them.',
  ),
  components: z.array(Component).max(MAX_COMPONENTS),
})
export type Group = z.infer<typeof Group>

/** Everything on a page from top to bottom, as the editor saves it at once. */
export const Layout = z.object({
  items: z
    .array(z.union([z.object({ group: Group }), z.object({ component: Component })], phrase('Invalid input')))
    .max(MAX_COMPONENTS),
})
export type Layout = z.infer<typeof Layout>
