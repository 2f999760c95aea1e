/** The quick references of the games, each loaded when it is looked at. */
import type { Reference } from '@/games/board';

const found = import.meta.glob<{ reference: Reference }>('../games/*/reference.ts');
const place = (game: string) => `../games/${game}/reference.ts`;

export const hasReference = (game: string): boolean => place(game) in found;
export const loadReference = async (game: string): Promise<Reference> => (await found[place(game)]!()).reference;
