/**
 * Whether addresses that are not public may be connected to, as PRIVATE_TARGETS says of those that members give. `allow`:
 * all but the metadata services of clouds. `deny`: public unicast addresses only.
 */
export type PrivateTargets = 'allow' | 'deny'

/**
 * The one who chose an address. `operator`: by the settings of this installation. `member`: with an account here, in a form
 * or over the API. `stranger`: everybody else, such as visitors, browsers, and servers that name another one in an answer.
 */
export type Giver = 'operator' | 'member' | 'stranger'

/**
 * Every kind of address that the service connects to, with its giver: a kind that is not listed cannot be dialled. A name
 * may have been given by a member and lead to an address that a stranger chose; such a use is a kind of its own.
 */
const GIVERS = {
  database: 'operator',
  'mail server': 'operator',
  'identity provider': 'operator',
  /** The name servers of this machine, which get questions about names of all kinds. */
  resolver: 'operator',
  /** The APIs that have one address for everybody, such as Telegram's. */
  'vendor API': 'operator',
  /** Asked by a remote probe, or by the command line. */
  'service elsewhere': 'operator',
  /** The address of a monitor, or of a look at the certificate and home page of a site. */
  check: 'member',
  contact: 'member',
  /** The host of a crawled site, as its member wrote it, while it leads to an address that is not public. */
  'crawled site': 'member',
  /** Where an answer leads that a check got from a public address. With PRIVATE_REDIRECTS=allow it is taken for a `check`. */
  'redirect of a check': 'stranger',
  /** All else that a crawl asks: what pages, sitemaps and redirects name, and the host of a site that is public. */
  'found by a crawl': 'stranger',
  /** A webhook that a visitor of a status page subscribes. */
  subscriber: 'stranger',
  /** The push service of a browser, as the browser says. */
  'push service': 'stranger',
  /** The metadata document of an OAuth client. */
  'client description': 'stranger',
  /** Over RDAP and WHOIS, at the addresses of IANA and those that it, or a registry, refers to. */
  registry: 'stranger',
  /** A name server that the records of a domain name. */
  'name server of a zone': 'stranger',
} as const satisfies Record<string, Giver>

export type AddressKind = keyof typeof GIVERS

declare const fromTheTable: unique symbol

/** Judges addresses of a kind. It comes from the table alone, so that none is taken by accident. */
export type AddressPolicy = { readonly privateTargets: PrivateTargets; readonly [fromTheTable]: true }

const PRIVATE_TOO = { privateTargets: 'allow' } as AddressPolicy
const PUBLIC_ONLY = { privateTargets: 'deny' } as AddressPolicy

const POLICIES: Record<Giver, (setting: PrivateTargets) => AddressPolicy> = {
  operator: () => PRIVATE_TOO,
  member: (setting) => (setting === 'allow' ? PRIVATE_TOO : PUBLIC_ONLY),
  stranger: () => PUBLIC_ONLY,
}

/** `setting`: PRIVATE_TARGETS, which is about members only. */
export function policyOf(kind: AddressKind, setting: PrivateTargets): AddressPolicy {
  return POLICIES[GIVERS[kind]](setting)
}

/** Callers that list the kinds use it. */
export function giverOf(kind: AddressKind): Giver {
  return GIVERS[kind]
}

export const ADDRESS_KINDS = Object.keys(GIVERS) as AddressKind[]
