import { PageHead } from '../parts/panel.tsx'

export default function ContactNew() {
  return <PageHead title="New contact" />
}
