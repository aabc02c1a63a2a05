import { useState } from 'react'
import { Button } from './button.tsx'

const SHOWN_MS = 2_000

/** Text to copy, with the button that does. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <div className="flex items-stretch gap-2">
      <code className="min-w-0 flex-1 overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm whitespace-nowrap">
        {text}
      </code>
      <Button onClick={copy} aria-label={`Copy ${label}`} className="h-auto">
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
