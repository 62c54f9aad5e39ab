//! What the shop sells. Plain data.

/// One thing for sale.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Product {
    /// In its address.
    pub(super) slug: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    /// One line about it.
    pub(super) line: &'static str,
    /// In cents.
    pub(super) cents: u32,
    /// The colours it comes in.
    pub(super) colours: &'static [&'static str],
    /// The sizes it comes in.
    pub(super) sizes: &'static [&'static str],
    /// The main colour of its picture.
    pub(super) tint: &'static str,
    /// The outline of its picture, on a field of 200 by 150.
    pub(super) shape: &'static str,
}

const LAMP: &str = "M70 60 L130 60 L115 25 L85 25 Z M97 60 h6 v52 h-6 Z M75 112 h50 v8 h-50 Z";
const LANTERN: &str = "M80 45 h40 v65 h-40 Z M90 30 h20 v12 h-20 Z M74 112 h52 v8 h-52 Z";
const MUG: &str = "M70 50 h50 v60 q0 12 -12 12 h-26 q-12 0 -12 -12 Z M122 62 h10 q14 0 14 16 t-14 16 h-10 v-9 h8 q7 0 7 -7 t-7 -7 h-8 Z";
const BOOK: &str = "M65 35 h70 v85 h-70 Z M72 35 v85 h3 v-85 Z M85 55 h38 v4 h-38 Z M85 67 h28 v4 h-28 Z";

/// Everything in the shop.
pub(super) const PRODUCTS: &[Product] = &[
    Product {
        slug: "harbour-lamp",
        name: "Harbour lamp",
        line: "Turned oak, linen shade, a warm pool of light.",
        cents: 8400,
        colours: &["Sand", "Sage", "Ink"],
        sizes: &["Small", "Large"],
        tint: "#9caf88",
        shape: LAMP,
    },
    Product {
        slug: "meadow-lamp",
        name: "Meadow lamp",
        line: "Ash and paper, folds flat for moving house.",
        cents: 6200,
        colours: &["Snow", "Moss"],
        sizes: &["Small", "Large"],
        tint: "#d9c7a0",
        shape: LAMP,
    },
    Product {
        slug: "pier-lantern",
        name: "Pier lantern",
        line: "A lamp to carry out of doors, with a handle of brass.",
        cents: 5600,
        colours: &["Ink", "Clay"],
        sizes: &["One size"],
        tint: "#b5654a",
        shape: LANTERN,
    },
    Product {
        slug: "tide-mug",
        name: "Tide mug",
        line: "Stoneware with a blue rim.",
        cents: 1900,
        colours: &["Snow", "Ink", "Clay"],
        sizes: &["Small", "Large"],
        tint: "#7d93a8",
        shape: MUG,
    },
    Product {
        slug: "linen-notebook",
        name: "Linen notebook",
        line: "Sewn, dotted, opens flat.",
        cents: 1450,
        colours: &["Sage", "Sand", "Clay"],
        sizes: &["A5", "A6"],
        tint: "#c08497",
        shape: BOOK,
    },
    Product {
        slug: "field-journal",
        name: "Field journal",
        line: "Waxed cover, for rain.",
        cents: 2250,
        colours: &["Moss", "Ink"],
        sizes: &["A5", "A6"],
        tint: "#5f6f52",
        shape: BOOK,
    },
];

impl Product {
    /// The price as it is shown.
    pub(super) fn price(&self) -> String {
        format!("CHF {}.{:02}", self.cents / 100, self.cents % 100)
    }

    /// Its picture.
    pub(super) fn picture(&self) -> String {
        format!(
            "<svg viewBox=\"0 0 200 150\" aria-hidden=\"true\"><rect width=\"200\" height=\"150\" fill=\"{0}\" opacity=\".22\"/>\
             <circle cx=\"100\" cy=\"74\" r=\"52\" fill=\"{0}\" opacity=\".25\"/><path d=\"{1}\" fill=\"{0}\"/></svg>",
            self.tint, self.shape
        )
    }
}

/// The product of that slug.
pub(super) fn product(slug: &str) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| product.slug == slug)
}

/// The products whose name or line holds every word of a query.
pub(super) fn search(query: &str) -> Vec<&'static Product> {
    let words: Vec<String> = query.to_lowercase().split_whitespace().map(str::to_owned).collect();
    PRODUCTS
        .iter()
        .filter(|product| {
            let text = format!("{} {}", product.name, product.line).to_lowercase();
            !words.is_empty() && words.iter().all(|word| text.contains(word.as_str()))
        })
        .collect()
}
