/** What the page asks of the server about who you are: devices, passkeys, everything you have left. */
import { ask } from './api';
import type {
  Avatar,
  Ceremony,
  Forgotten,
  Me,
  Muted,
  NoticesInfo,
  QuietHours,
  OneTimeLink,
  PersonAt,
  Reported,
  ReportIt,
  Subscribe,
  TableInfo,
  Whose,
  You,
} from './wire';

export const you = {
  look: () => ask<You>('GET', '/api/you'),
  choose: (sign: Avatar) => ask<Me>('POST', '/api/you/avatar', sign),
  link: () => ask<OneTimeLink>('POST', '/api/you/link'),
  whose: (code: string) => ask<Whose>('POST', '/api/link/whose', { code }),
  useLink: (code: string) => ask<Me>('POST', '/api/link', { code, name: thisDevice() }),
  nameDevice: (id: string, name: string) => ask<You>('POST', '/api/you/devices/name', { id, name }),
  signOut: (id: string | null) => ask<You>('POST', '/api/you/devices/sign-out', id === null ? {} : { id }),
  forget: (name: string) => ask<Forgotten>('POST', '/api/you/forget', { name }),
  subscribe: (browser: Subscribe) => ask<NoticesInfo>('POST', '/api/you/notices/subscribe', browser),
  unsubscribe: (endpoint: string) => ask<NoticesInfo>('POST', '/api/you/notices/unsubscribe', { endpoint }),
  quiet: (quiet: QuietHours | null) => ask<NoticesInfo>('POST', '/api/you/notices/quiet', { quiet }),
  mute: (what: Muted) => ask<NoticesInfo>('POST', '/api/you/notices/mute', what),
  friendLink: () => ask<OneTimeLink>('POST', '/api/you/friends/link'),
  whoseFriend: (code: string) => ask<Whose>('POST', '/api/you/friends/whose', { code }),
  befriend: (code: string) => ask<You>('POST', '/api/you/friends', { code }),
  part: (id: string) => ask<You>('POST', '/api/you/friends/part', { id }),
  unblock: (id: string) => ask<You>('POST', '/api/you/blocked/forget', { id }),
  chat: (on: boolean) => ask<You>('POST', '/api/you/chat', { on }),
  block: (table: string, who: PersonAt) => ask<You>('POST', `/api/tables/${encodeURIComponent(table)}/block`, who),
  report: (table: string, what: ReportIt) =>
    ask<Reported>('POST', `/api/tables/${encodeURIComponent(table)}/report`, what),
  hush: (table: string, quiet: boolean) =>
    ask<TableInfo>('POST', `/api/tables/${encodeURIComponent(table)}/hush`, { quiet }),
  forgetPasskey: (id: string) => ask<You>('POST', '/api/you/passkeys/forget', { id }),

  /** Asks an authenticator (a screen lock, a key) to make a passkey; null if the person thought better of it. */
  async addPasskey(): Promise<You | null> {
    const { ticket, options } = await ask<Ceremony>('POST', '/api/you/passkeys/begin');
    const made = await answered(() => navigator.credentials.create({ publicKey: decoded(options) as never }));
    return made && ask<You>('POST', '/api/you/passkeys', { ticket, credential: encoded(made), name: thisDevice() });
  },

  /** Asks for a passkey of this house, and becomes whose it is. */
  async enter(): Promise<Me | null> {
    const { ticket, options } = await ask<Ceremony>('POST', '/api/passkey/begin');
    const shown = await answered(() => navigator.credentials.get({ publicKey: decoded(options) as never }));
    return shown && ask<Me>('POST', '/api/passkey', { ticket, credential: encoded(shown), name: thisDevice() });
  },
};

/** Whether this browser knows passkeys here: they need https, or the machine itself. */
export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** What to call this device until somebody calls it otherwise. */
export function thisDevice(): string {
  const agent = navigator.userAgent;
  const kinds: [RegExp, string][] = [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Mac OS/, 'Mac'],
    [/Windows/, 'Windows'],
    [/Linux|CrOS/, 'Linux'],
  ];
  return kinds.find(([known]) => known.test(agent))?.[1] ?? '';
}

async function answered(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await ask()) as PublicKeyCredential | null;
  } catch (problem) {
    if (problem instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(problem.name)) return null;
    throw problem;
  }
}

// ── Bytes travel as base64url ─────────────────────────────────

const BYTES = ['challenge', 'id'];

/** The server's options as the browser wants them: a challenge and ids are bytes. */
export function decoded(value: unknown, name = '', within = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => decoded(one, name, within));
  if (typeof value === 'string' && BYTES.includes(name) && within !== 'rp') return fromBase64(value);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decoded(inner, key, name)]));
}

/** A credential as JSON, as `PublicKeyCredential.toJSON` writes it where there is one. */
export function encoded(credential: PublicKeyCredential): Record<string, unknown> {
  const response: Record<string, string> = {};
  for (const part of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    const bytes = (credential.response as unknown as Record<string, ArrayBuffer | null | undefined>)[part];
    if (bytes instanceof ArrayBuffer) response[part] = toBase64(bytes);
  }
  const id = toBase64(credential.rawId);
  return { id, rawId: id, type: credential.type, response, clientExtensionResults: {} };
}

function fromBase64(text: string): ArrayBuffer {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0)).buffer;
}

export function toBase64(bytes: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
