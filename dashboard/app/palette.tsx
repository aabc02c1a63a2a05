/** Finds a monitor or an action by a few letters. */
export default function Palette({ onClose }: { onClose: () => void }) {
  return <button type="button" onClick={onClose} />
}
