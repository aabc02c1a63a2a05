/**
 * Kinds of documents, by what browsers may do with them. A `page` is for people, in a window of its own. A `framed` one is
 * made to stand in pages of others. A `shared` one is made to be loaded by them: badges, public feeds, pictures for
 * previews. All else is `own`: JSON of the API, files of the dashboard, what only some may see.
 */
export type DocumentKind = 'page' | 'framed' | 'shared' | 'own'

/** Features of browsers that no page of ours uses. */
const UNUSED = [
  ...['accelerometer', 'autoplay', 'camera', 'clipboard-read', 'display-capture', 'encrypted-media'],
  ...['geolocation', 'gyroscope', 'hid', 'idle-detection', 'magnetometer', 'microphone', 'midi'],
  ...['payment', 'picture-in-picture', 'serial', 'usb', 'xr-spatial-tracking'],
]
/** Features that the dashboard uses: copying, passkeys, and a wallboard that fills the screen and keeps it on. */
const USED = [
  ...['clipboard-write', 'fullscreen', 'screen-wake-lock'],
  ...['publickey-credentials-create', 'publickey-credentials-get'],
]

const none = UNUSED.map((feature) => `${feature}=()`)
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }

/**
 * The headers of each kind, whoever sends it. A handler may say more, such as a `Referrer-Policy` that leaves out the
 * address; frames are ruled by the `Content-Security-Policy` of each page, which differs by what it loads.
 */
export const DOCUMENT_HEADERS: Readonly<Record<DocumentKind, Readonly<Record<string, string>>>> = {
  page: {
    ...NO_SNIFFING,
    'permissions-policy': [...none, ...USED.map((feature) => `${feature}=(self)`)].join(', '),
    // Another site that opened the window, or was opened from it, gets no hold of it.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  },
  framed: {
    ...NO_SNIFFING,
    'permissions-policy': [...none, ...USED.map((feature) => `${feature}=()`)].join(', '),
    // Opened by itself it is a page as any other; in a frame the window is that of the other site.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
  },
  shared: { ...NO_SNIFFING, 'cross-origin-resource-policy': 'cross-origin' },
  own: { ...NO_SNIFFING, 'cross-origin-resource-policy': 'same-origin' },
}
