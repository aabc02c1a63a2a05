/**
 * The host of a URL as it is looked up or dialled: without brackets or a final dot. The URL must have been read
 * by the rules of http URLs (core/target parseTarget does so for every scheme); null when it names no host.
 */
export function targetHost(url: URL): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname.replace(/\.$/, '')
  return host || null
}
