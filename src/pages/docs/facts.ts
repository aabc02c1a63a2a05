/** The addresses and the version that generated texts name. */
export type DocsFacts = { siteUrl: string; baseUrl: string; docsUrl: string; version: string }
