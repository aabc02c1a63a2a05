import { useEffect, useState } from 'react'

const TYPING_MS = 300

/** A value that has stayed the same for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
