/** The Dutch words of the payment page, as in Suriname and the Netherlands, with "u". */

import { NETWORK_NAMES } from "../../kit/card-network.ts";
import { cardForm } from "../card-form/nl.ts";
import { plural } from "../locale.ts";
import { reasonBy } from "./decline-reason.ts";
import type { Texts } from "./en.ts";

const language = "nl";

export const dutch: Texts = {
  language,
  title: (merchant) => `Betalen aan ${merchant}`,
  titleWithProblem: (title) => `Controleer uw gegevens: ${title}`,
  main: "Betaling",
  fields: cardForm,
  optional: "optioneel",
  chooseCountry: "Kies een land",
  chooseState: "Maak een keuze",
  showStates: "Staten en provincies tonen",

  summary: {
    heading: "Uw bestelling",
    payTo: "Betalen aan",
    order: "Bestelling",
    items: (count) => (count === 1 ? "1 artikel" : `${count} artikelen`),
    price: "Prijs",
    fee: "Transactiekosten",
    total: "Totaal",
    secret: "",
    feePaidByCustomer: (fee) =>
      `Hiervan is ${fee} transactiekosten. Die zijn voor elke kaart gelijk.`,
    feeShared: (fee) =>
      `Hiervan is ${fee} uw helft van de transactiekosten. De verkoper betaalt de andere helft.`,
    feeNone: "Geen kosten voor u. De verkoper betaalt ze.",
  },

  details: {},

  sandbox: {
    badge: "Test",
    note: "Testbetaling. U betaalt niets.",
    cards: "Testkaarten",
    approved: "Goedgekeurd",
    declined: "Geweigerd",
    asked: "3-D Secure",
  },

  card: {
    heading: "Met kaart betalen",
    detected: { visa: "Dit is een Visa-kaart.", mastercard: "Dit is een Mastercard-kaart." },
    networks: NETWORK_NAMES,
    endingIn: (network, lastFour) => `${network} eindigend op ${lastFour}`,
    billing: "Factuuradres",
    contact: "Factuurgegevens",
    billingHelp: "Het adres op uw kaartafschriften. Uw bank controleert het.",
    saved: "Uw bewaarde kaart",
    expires: (expiry) => `Geldig t/m ${expiry}`,
    pay: (amount) => `${amount} betalen`,
    safe: "De verkoper ziet uw kaartgegevens nooit.",
    giveUp: (merchant) => `Terug naar ${merchant} zonder te betalen`,
  },

  time: {
    label: "Tijd om te betalen",
    left: (words) => `Nog ${words} om te betalen.`,
    warnings: {
      60: "Nog 1 minuut om te betalen. Daarna moet u opnieuw beginnen.",
      20: "Nog 20 seconden om te betalen.",
    },
    over: "De tijd is om. Een ogenblik geduld.",
    minutes: (count) =>
      plural(language, count, { one: `${count} minuut`, other: `${count} minuten` }),
    seconds: (count) =>
      plural(language, count, { one: `${count} seconde`, other: `${count} seconden` }),
  },

  problems: {
    heading: (count) =>
      plural(language, count, {
        one: `Controleer ${count} veld`,
        other: `Controleer ${count} velden`,
      }),
    again: "Voor uw veiligheid bewaren wij uw kaartgegevens niet. Vul ze opnieuw in.",
  },

  declined: {
    heading: "Uw kaart is geweigerd",
    text: (card, message) => `${card}: ${message}`,
    noMoney: "Er is niets afgeschreven. Controleer de gegevens of probeer een andere kaart.",
    noMoneyTryAgain: "Er is niets afgeschreven. Probeer het zo dadelijk opnieuw.",
    triesLeft: (count) =>
      plural(language, count, {
        one: `U hebt nog ${count} poging.`,
        other: `U hebt nog ${count} pogingen.`,
      }),
    reason: reasonBy({
      declined: "De bank van de kaart heeft de betaling geweigerd.",
      noFunds: "Het saldo van de kaart is niet toereikend.",
      limit: "De limiet van de kaart is bereikt.",
      expired: "De kaart is verlopen.",
      securityCode: "De beveiligingscode van de kaart is onjuist.",
      notValid: "Het kaartnummer is niet geldig.",
      notUsable:
        "Deze kaart kan niet voor deze betaling worden gebruikt. Gebruik een andere kaart.",
      notConfirmed: "De bank van de kaart heeft de betaling niet bevestigd.",
      unreachable: "De bank van de kaart is niet bereikbaar.",
      wentBack: "U bent teruggegaan zonder te betalen.",
      soldOut: "Uitverkocht. Er is niets afgeschreven.",
      closed: "Deze betaallink is gesloten. Er is niets afgeschreven.",
    }),
  },

  notTaken: {
    now: {
      heading: "Wij konden het bedrag niet afschrijven",
      text: () => "Betalen met een kaart is op dit moment niet mogelijk. Er is niets afgeschreven.",
      again: "Probeer het over een ogenblik opnieuw.",
    },
    settings: {
      heading: "Deze winkel kan nu geen kaarten accepteren",
      text: () =>
        "De betaling kon niet worden gestart. Het ligt niet aan uw kaart en er is niets " +
        "afgeschreven.",
      again: "Probeer het later opnieuw of vraag de winkel hoe u anders kunt betalen.",
    },
  },

  limited: {
    heading: "Te veel pogingen",
    text: "Wacht even voordat u het opnieuw probeert. Er is niets afgeschreven.",
  },

  challenge: {
    heading: "Bevestig bij uw bank",
    text: "Volg hieronder de stappen van uw bank. Daarna gaat uw betaling vanzelf verder.",
    checking: {
      heading: "Controle door uw bank",
      text:
        "Uw bank controleert uw kaart. Vraagt uw bank om een bevestiging, volg dan hieronder de " +
        "stappen. Daarna gaat uw betaling vanzelf verder.",
    },
    frame: "Pagina van uw bank",
    full: "Pagina van uw bank openen",
    fullText: "Uw bank vraagt u op een eigen pagina te bevestigen en brengt u daarna hier terug.",
    fallback: "Ziet u hierboven niets? Open hier de pagina van uw bank.",
    answered: "Dank u wel",
    answeredText: "Een ogenblik, wij ronden uw betaling af.",
    next: "Doorgaan",
    scripts: {
      heading: "Voor deze stap is JavaScript nodig",
      text:
        "Zonder JavaScript kan de pagina van uw bank niet worden getoond. Er is niets " +
        "afgeschreven.",
      onPage: "Zet JavaScript aan en laad deze pagina opnieuw, of ga terug zonder te betalen.",
      reload: "Deze pagina opnieuw laden",
      back: "Terug naar de betaalpagina",
    },
  },

  working: {
    heading: "Een ogenblik geduld",
    text: "Wij vragen het na bij uw bank. Dit duurt enkele seconden.",
    stay: "Sluit deze pagina niet en betaal niet opnieuw. Er wordt maar één keer afgeschreven.",
    long: "Dit duurt langer dan normaal. U hoeft niets te doen.",
    veryLong:
      "Uw bank heeft nog niet geantwoord. Wij blijven het vragen en het resultaat verschijnt hier.",
    unreachable: "Er is nu geen verbinding. Zodra die terug is, verschijnt hier het resultaat.",
    look: "Opnieuw controleren",
  },

  sending: {
    slow: "Uw verbinding is traag. Uw gegevens worden nog verzonden.",
    again: "Opnieuw proberen",
    kept: "Alles wat u hebt ingevuld, staat er nog.",
    offline: {
      heading: "U bent offline",
      text:
        "Er is niets verzonden en niets afgeschreven. Controleer uw verbinding en probeer het " +
        "opnieuw.",
    },
    lost: {
      heading: "De verbinding is verbroken",
      text:
        "Wij weten nog niet of uw gegevens zijn aangekomen. Probeer het opnieuw: er wordt niet " +
        "twee keer afgeschreven.",
    },
    trouble: {
      heading: "Probeer het over een ogenblik opnieuw",
      text:
        "Er ging iets mis aan onze kant. Probeer het opnieuw: er wordt niet twee keer " +
        "afgeschreven.",
    },
  },

  ended: {
    paid: {
      heading: "Betaald",
      text: (amount, merchant) => `U hebt ${amount} betaald aan ${merchant}.`,
    },
    notPaid: {
      heading: "Niet betaald",
      text: "Er is niets afgeschreven. U kunt opnieuw bestellen.",
    },
    notKnown: {
      heading: "Wachten op antwoord van uw bank",
      text:
        "Uw bank heeft niet bevestigd of de betaling is gelukt. Betaal niet opnieuw. Is er wel " +
        "afgeschreven, dan krijgt u het bedrag terug.",
    },
    expired: {
      heading: "De tijd is om",
      text: "Er is niets afgeschreven. U kunt opnieuw bestellen.",
    },
    replaced: {
      heading: "Deze betaling is vervangen",
      text:
        "Er is een nieuwere betaling voor deze bestelling, dus u kunt hier niet meer betalen. Op " +
        "deze pagina is niets afgeschreven. Bekijk uw bestelling in de winkel.",
    },
    toNewer: "Naar de nieuwe betaalpagina",
    newerHelp: "Uw bestelling kan gewijzigd zijn. Controleer het totaal voordat u betaalt.",
    message: "Reden",
    card: "Kaart",
    reference: "Referentie",
    referenceHelp: "Vermeld deze referentie als u contact opneemt met de verkoper.",
    returnUrl: (merchant) => `Doorgaan naar ${merchant}`,
    forward: (merchant) => `U wordt teruggebracht naar ${merchant}.`,
    stuck: (merchant) => `Gaat ${merchant} niet open? Geen zorgen: het resultaat is opgeslagen.`,
  },

  notFound: {
    heading: "Betaalpagina niet gevonden",
    text: "Ga terug naar de winkel en begin opnieuw. Op deze pagina is niets afgeschreven.",
  },
  notStarted: {
    heading: "Deze betaling kon niet worden gestart",
    text: (said) =>
      `Er is niets afgeschreven. Ga terug naar de winkel. Technische melding: ${said}`,
  },
  gone: {
    heading: "Deze betaling is afgelopen",
    text: "Neem voor het resultaat contact op met de verkoper.",
  },
  refused: {
    heading: "Ga terug naar de betaalpagina",
    text: "Er is niets afgeschreven. Open de betaalpagina en probeer het daar opnieuw.",
    again: "Betaalpagina openen",
  },
  trouble: {
    heading: "Probeer het over een ogenblik opnieuw",
    text:
      "Er ging iets mis aan onze kant. Controleer opnieuw de status van uw betaling. Er " +
      "wordt niet twee keer afgeschreven.",
    again: "Opnieuw controleren",
  },
  footer: "Veilig betalen met Windward",
};
