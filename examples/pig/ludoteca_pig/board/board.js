/** The board of Pig: the die, what this turn is worth, and everybody's way to the goal. docs/adding_a_game.md tells the contract. */

const PIPS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };

/** An element with these attributes and children. */
function made(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function mount(place, table) {
  const die = made('div', { class: 'pig-die', role: 'img' }, ...Array.from({ length: 9 }, () => made('span')));
  const pot = made('p', { class: 'pig-pot' });
  const buttons = made('div', { class: 'pig-buttons' });
  const race = made('ul', { class: 'pig-race' });
  place.append(made('div', { class: 'pig' }, made('div', { class: 'pig-turn' }, die, pot, buttons), race));
  let now = table;

  /** As many children as there are things, so that whoever has the focus on one keeps it. */
  function fitted(parent, count, make) {
    while (parent.children.length < count) parent.append(make(parent.children.length));
    while (parent.children.length > count) parent.lastElementChild.remove();
    return [...parent.children];
  }

  function button(nth) {
    const found = made('button', { class: 'btn btn--primary', type: 'button' });
    found.addEventListener('click', () => {
      if (!now.busy && now.choices[nth]) now.decide([now.choices[nth].action]);
    });
    return found;
  }

  function lane() {
    return made('li', {}, made('b'), made('meter', { min: 0 }), made('span'));
  }

  function update(next) {
    now = next;
    const { view, t } = now;
    die.setAttribute('aria-label', `${t('view.die')}: ${view.die ?? '–'}`);
    [...die.children].forEach((pip, n) => pip.classList.toggle('is-on', (PIPS[view.die] ?? []).includes(n + 1)));
    pot.textContent = `${t('view.pot')}: ${view.pot}`;
    fitted(buttons, now.choices.length, button).forEach((one, n) => {
      one.textContent = now.words(now.choices[n]);
      one.setAttribute('aria-disabled', String(now.busy));
    });
    fitted(race, view.players.length, lane).forEach((row, seat) => {
      const [name, way, points] = row.children;
      const { score } = view.players[seat];
      row.classList.toggle('is-turn', now.waiting.includes(seat));
      name.textContent = now.names[seat];
      way.max = view.goal;
      way.value = score;
      way.setAttribute('aria-label', `${now.names[seat]}: ${t('view.score')}`);
      points.textContent = `${score} / ${view.goal}`;
    });
  }

  update(table);
  return { update, destroy: () => place.replaceChildren() };
}
